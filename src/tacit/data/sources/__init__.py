"""From a published archive to rows and items, one file a publisher.."""

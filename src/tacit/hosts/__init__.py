"""Where protocols run: the simulator, a person's device, existing distributed engines."""

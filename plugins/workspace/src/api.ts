// The workspace has no API for other plugins.
export {}

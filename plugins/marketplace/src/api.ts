// The marketplace has no API for other plugins.
export {}

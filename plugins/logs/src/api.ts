// The log has no API for other plugins. They write lines with their own `ctx.log`.
export {}

// The log has nothing that other plugins need to know: whoever has something to say uses its own `ctx.log`.
export {}

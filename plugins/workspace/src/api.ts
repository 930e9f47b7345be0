// The workspace has nothing that other plugins need to know: it changes files and tells the configuration of the host.
export {}

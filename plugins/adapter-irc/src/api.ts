// IRC has nothing that other plugins need to know.
export {}

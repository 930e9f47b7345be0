/**
 * What holds a command, from the strongest to the weakest: a view of its own by namespaces, rules for files by
 * Landlock, or nothing but the check of its text.
 */
export type ExecLevel = 'wall' | 'files' | 'none'

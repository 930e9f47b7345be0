/** `⌘` on Apple's machines, else `Ctrl`. */
export const modifier = (): string => (/Mac|iP(?:hone|ad|od)/.test(navigator.userAgent) ? '⌘' : 'Ctrl')

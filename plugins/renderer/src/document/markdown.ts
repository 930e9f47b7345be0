import { Marked } from 'marked'

// As in chat, a line break of the source is kept.
const marked = new Marked({ gfm: true, breaks: true, async: false })

export const markdownToHtml = (source: string): string => marked.parse(source, { async: false })

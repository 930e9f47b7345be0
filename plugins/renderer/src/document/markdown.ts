// Markdown as HTML; what HTML it contains is as harmless as any other once it is parsed.
import { Marked } from 'marked'

// A line break is one in a chat.
const marked = new Marked({ gfm: true, breaks: true, async: false })

export const markdownToHtml = (source: string): string => marked.parse(source, { async: false })

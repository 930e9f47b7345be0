// Loaded with the first text that needs it.
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { MarkdownTree } from '../api/formatting/formatted-text.js'

const OPTIONS = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

export const parseMarkdown = (source: string): MarkdownTree => fromMarkdown(source, OPTIONS)

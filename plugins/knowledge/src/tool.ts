import { Type } from '@mynah/contract/type'
import type { Database } from '@mynah/database-api'
import { defineTool, toolResult, wrapped, type Tool, type ToolPolicy } from '@mynah/plugin-ai/api'
import { searchable, type Config } from './config.js'
import { search, type Found } from './search.js'

const NAME = 'search_knowledge'
/** Passages that one call returns. */
export const MAX_FOUND = 6

/** Creates the tool that searches the bases that the caller may search. */
export function searchTool(database: Database, config: () => Config): Tool {
  return defineTool({
    name: NAME,
    description: 'Searches the documents of the owner: passages that fit a question, with their sources.',
    effect: 'read',
    keywords: ['knowledge', 'document', 'manual', 'search', '知识', '文档', '资料', '查找'],
    parameters: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 1_000 }),
      base: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    async run({ query, base }, { roles }) {
      const open = searchable(config()['ai.knowledge'], roles)
      if (base !== undefined && !open.includes(base))
        return toolResult(`There is no such base. Those that can be searched: ${open.join(', ') || 'none'}`, {
          isError: true,
        })
      const found = await search(database, query, { bases: base === undefined ? open : [base], limit: MAX_FOUND })
      return found.length > 0 ? found.map(shown).join('\n') : 'Nothing in the documents fits.'
    },
  })
}

/** Shows a passage with its source. Both are text of a document, which can neither end its mark nor begin another. */
const shown = ({ base, path, heading, page, text }: Found): string =>
  wrapped(`[${[path, heading, page === undefined ? '' : `page ${page}`].filter(Boolean).join(', ')}]\n${text}`, base)

/** Hides the tool from people who may search no base. */
export const searchPolicy = (config: () => Config): ToolPolicy => ({
  name: 'knowledge',
  refuse: ({ name }, { roles }) =>
    name === NAME && searchable(config()['ai.knowledge'], roles).length === 0
      ? 'No documents are open to this user.'
      : undefined,
})

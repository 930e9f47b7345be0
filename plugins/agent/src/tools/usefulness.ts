import type { Tool } from '@mynah/plugin-ai/api'

/** The tools that most conversations need, the most useful one first. */
const FIRST = [
  'remember',
  'recall',
  'web_search',
  'web_fetch',
  'user_profile',
  'read_file',
  'write_file',
  'bash',
  'activate_skill',
]
/** Tools for rarer occasions. They come after those of other plugins. */
const LATER = [
  'edit_file',
  'list_files',
  'search_files',
  'cron_add',
  'schedule_followup',
  'chat_history',
  'cron_list',
  'cron_remove',
  'update_guide',
  'install_skill',
  'generate_image',
]

/** Tools of plugins come before those of MCP servers, of which there are many. */
const rankOf = ({ name, source }: Tool): number => {
  const first = FIRST.indexOf(name)
  if (first >= 0) return first
  const later = LATER.indexOf(name)
  if (later >= 0) return FIRST.length + 1 + later
  return source === undefined ? FIRST.length : FIRST.length + 1 + LATER.length
}

/** Sorts tools by a fixed order of usefulness. Equal ones keep their order. */
export const byUsefulness = (tools: readonly Tool[]): Tool[] => [...tools].sort((a, b) => rankOf(a) - rankOf(b))

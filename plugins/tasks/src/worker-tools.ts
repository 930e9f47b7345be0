// Which tools a sub-agent has: its base, what was added for all, what its preset or its parent names, and what fits its task.
import { NOT_FOR_WORKERS, rankTools } from '@mynah/plugin-agent/api'
import type { Tool } from '@mynah/plugin-ai/api'

const DRAWING = /\b(?:draw|paint|sketch|illustrat\w{0,6}|picture|image|logo)\b|画|绘|图片|图像/i

export interface Wanted {
  readonly task: string
  readonly agent: string
  readonly base: readonly string[]
  readonly extra: readonly string[]
  readonly named: readonly string[]
  /** Found by likeness at most. */
  readonly most: number
}

/** Names of the tools, without those that are not there. */
export function workerTools(all: readonly Tool[], { task, agent, base, extra, named, most }: Wanted): string[] {
  const there = new Map(all.filter(({ name }) => !NOT_FOR_WORKERS.has(name)).map((tool) => [tool.name, tool]))
  const draws = agent === 'draw' || DRAWING.test(task.slice(0, 2_000))
  const found = rankTools(
    [...there.values()].filter(({ permanent }) => !permanent),
    task,
  )
    .slice(0, most)
    .map(({ name }) => name)
  return [...new Set([...(draws ? ['generate_image'] : []), ...base, ...extra, ...named, ...found])].filter((name) =>
    there.has(name),
  )
}

import { NOT_FOR_WORKERS, rankTools } from '@mynah/plugin-agent/api'
import type { Tool } from '@mynah/plugin-ai/api'

const DRAWING = /\b(?:draw|paint|sketch|illustrat\w{0,6}|picture|image|logo)\b|画|绘|图片|图像/i

/** The facts that decide which tools a worker gets. */
interface WorkerNeeds {
  readonly task: string
  readonly agent: string
  readonly base: readonly string[]
  readonly extra: readonly string[]
  readonly named: readonly string[]
  /** Most tools that are found by the words of the task. */
  readonly maxFound: number
}

/** Returns the names of the worker's tools that exist: base, extra, named and found ones. */
export function workerTools(
  all: readonly Tool[],
  { task, agent, base, extra, named, maxFound }: WorkerNeeds,
): string[] {
  const available = new Map(all.filter(({ name }) => !NOT_FOR_WORKERS.has(name)).map((tool) => [tool.name, tool]))
  const draws = agent === 'draw' || DRAWING.test(task.slice(0, 2_000))
  const found = rankTools(
    [...available.values()].filter(({ permanent }) => !permanent),
    task,
  )
    .slice(0, maxFound)
    .map(({ name }) => name)
  return [...new Set([...(draws ? ['generate_image'] : []), ...base, ...extra, ...named, ...found])].filter((name) =>
    available.has(name),
  )
}

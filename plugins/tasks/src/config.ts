import { Type } from '@mynah/contract/type'
import type { ConfigOf } from '@mynah/kernel'

const Names = (fallback: readonly string[], description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { default: [...fallback], description })

export const claims = {
  keys: {
    'ai.agent.maxSubagentIterations': Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 25,
      description: 'Most rounds of tool calls of a sub-agent',
    }),
    'ai.agent.subagentTurnWaitMs': Type.Integer({
      minimum: 0,
      default: 300_000,
      description: 'Time that a turn waits for its sub-agents, ms; 0 does not wait',
    }),
    'ai.agent.subagentTools': Names([], 'Names of further tools of sub-agents'),
    'ai.agent.workerBaseTools': Names(
      ['bash', 'read_file', 'web_search'],
      'Names of the tools that every sub-agent has',
    ),
  },
} as const
export type Config = ConfigOf<typeof claims>

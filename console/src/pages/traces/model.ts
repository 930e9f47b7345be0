import type { Trace, TraceStep } from '@mynah/contract/types'

const groups = ['accepted', 'decided', 'answered', 'sent'] as const
export type Group = (typeof groups)[number]

/** A step with its time, and the steps that are parts of it. */
export interface TimedStep {
  readonly step: TraceStep
  readonly key: string
  /** Milliseconds from the message to the beginning of the step. */
  readonly from: number
  readonly duration: number
  readonly tone: 'wrong' | 'quiet' | 'plain'
  /** By their beginning. */
  readonly parts: readonly TimedStep[]
}

/** The steps of a part of the handling, such as those that made the answer. */
export interface StepGroup {
  readonly group: Group
  readonly steps: readonly TimedStep[]
}

const WRONG = /^(?:failed|refused|timeout|timed out|unsaved|unmarked|error|interrupted|denied|unknown)/
const QUIET = /^(?:none|passed|skipped)$/

/** Returns whether an outcome is a problem. */
const isProblem = (step: TraceStep): boolean => WRONG.test(step.outcome)

function toneOf(step: TraceStep): TimedStep['tone'] {
  if (isProblem(step)) return 'wrong'
  return QUIET.test(step.outcome) ? 'quiet' : 'plain'
}

export function groupOf(stage: string): Group {
  if (/^(?:store|accept|middleware|recover)/.test(stage)) return 'accepted'
  if (/^(?:model|tool|context|prompt|handling|answer|compact)/.test(stage)) return 'answered'
  if (/^(?:send|outbox|reply|deliver)/.test(stage)) return 'sent'
  return 'decided'
}

interface Node extends TimedStep {
  readonly parts: Node[]
  parent?: Node
}

/** Returns the steps of a trace in the order in which they ended, with the times of each. */
function timedSteps({ steps }: Trace): Node[] {
  let before = 0
  return steps.map((step, index) => {
    const end = Math.max(0, step.ms)
    const from = step.durationMs === undefined ? Math.min(before, end) : Math.max(0, end - step.durationMs)
    before = Math.max(before, end)
    return { step, key: `${index}`, from, duration: end - from, tone: toneOf(step), parts: [] }
  })
}

function isWithin(node: Node | undefined, outer: Node): boolean {
  for (let at = node; at; at = at.parent) if (at === outer) return true
  return false
}

/**
 * Returns the steps of a trace by group, with the parts of each below it. A part whose whole has not ended yet is in
 * its group.
 */
export function stepTree(trace: Trace): readonly StepGroup[] {
  const nodes = timedSteps(trace)
  const byId = new Map(nodes.map((node) => [node.step.id, node]))
  const found = new Map<Group, Node[]>()
  for (const node of nodes) {
    const { parent } = node.step
    const whole = parent === undefined ? undefined : byId.get(parent)
    if (whole && !isWithin(whole, node)) {
      node.parent = whole
      whole.parts.push(node)
    } else {
      const group = groupOf(node.step.stage)
      found.set(group, [...(found.get(group) ?? []), node])
    }
  }
  for (const { parts } of nodes) parts.sort(byBeginning)
  return groups.flatMap((group) => {
    const steps = found.get(group)
    return steps ? [{ group, steps: steps.sort(byBeginning) }] : []
  })
}

const byBeginning = (a: TimedStep, b: TimedStep): number => a.from - b.from

/** Returns in how many milliseconds at least one of the steps ran. Steps that ran at the same time count once. */
export function timeOf(steps: readonly TimedStep[]): number {
  let sum = 0
  let until = 0
  for (const { from, duration } of [...steps].sort(byBeginning)) {
    const end = from + duration
    sum += Math.max(0, end - Math.max(from, until))
    until = Math.max(until, end)
  }
  return sum
}

/** Returns the time that the steps of a stage took. Those of sub-tasks are part of the tools that ran them. */
export const stageTime = (tree: readonly StepGroup[], stage: string): number =>
  timeOf(tree.flatMap(({ steps }) => steps).filter(({ step }) => step.stage === stage))

/** A row of the tree: a group, or a step in it. */
export interface TreeRow {
  readonly key: string
  /** From 1, for a group. */
  readonly level: number
  /** Absent for a row without parts. */
  readonly open?: boolean
  readonly group?: StepGroup
  readonly item?: TimedStep
}

/** Returns the rows that are not within a closed one. */
export function treeRows(tree: readonly StepGroup[], closed: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const add = (item: TimedStep, level: number): void => {
    const open = !closed.has(item.key)
    rows.push({ key: item.key, level, item, ...(item.parts.length > 0 ? { open } : {}) })
    if (open) for (const part of item.parts) add(part, level + 1)
  }
  for (const group of tree) {
    const open = !closed.has(group.group)
    rows.push({ key: group.group, level: 1, open, group })
    if (open) for (const step of group.steps) add(step, 2)
  }
  return rows
}

const knownProblems = new WeakMap<Trace, readonly TraceStep[]>()

/** Returns the steps that went wrong. They are found once: the list asks for those of every trace. */
export function problemSteps(trace: Trace): readonly TraceStep[] {
  const known = knownProblems.get(trace)
  if (known) return known
  const found = trace.steps.filter(isProblem)
  knownProblems.set(trace, found)
  return found
}

export const traceKey = (trace: Trace): string => `${trace.endpointId}/${trace.messageId}`

const SLOW_MS = 2000

/** Traces of a query, newest first as they came. */
export function filterTraces(
  all: readonly Trace[],
  { filter, show }: { readonly filter: string; readonly show: string },
): Trace[] {
  const needle = filter.trim().toLowerCase()
  return all.filter(
    (trace) =>
      (show !== 'wrong' || problemSteps(trace).length > 0) &&
      (show !== 'slow' || trace.durationMs >= SLOW_MS) &&
      (!needle ||
        [trace.text, trace.sender.name, trace.sender.id, trace.messageId, trace.channel.name, trace.channel.id].some(
          (text) => text?.toLowerCase().includes(needle),
        )),
  )
}

/** Returns the round marks of a scale in milliseconds. */
export function scaleMarks(total: number): number[] {
  const rough = total / 4
  const unit = 10 ** Math.floor(Math.log10(Math.max(rough, 0.001)))
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((value) => value >= rough) ?? unit
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step)
}

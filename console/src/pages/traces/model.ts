import type { Trace, TraceStep } from '@mynah/contract/types'

export const groups = ['accepted', 'decided', 'answered', 'sent'] as const
export type Group = (typeof groups)[number]

export interface TimedStep {
  readonly step: TraceStep
  readonly key: string
  /** Milliseconds from the message to the beginning of the step. */
  readonly from: number
  readonly duration: number
  readonly tone: 'wrong' | 'quiet' | 'plain'
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

/** Groups the steps of a trace. A step is recorded when it ends, so its duration is the time since the one before. */
export function timedSteps(trace: Trace): ReadonlyMap<Group, readonly TimedStep[]> {
  const found = new Map<Group, TimedStep[]>()
  let before = 0
  for (const [index, step] of trace.steps.entries()) {
    const end = Math.max(before, step.ms)
    const item: TimedStep = {
      step,
      key: `${index}`,
      from: before,
      duration: end - before,
      tone: toneOf(step),
    }
    before = end
    const group = groupOf(step.stage)
    found.set(group, [...(found.get(group) ?? []), item])
  }
  return found
}

/** Sums the duration of all steps of a stage. */
export const stageTime = (trace: Trace, stage: string): number =>
  [...timedSteps(trace).values()]
    .flat()
    .filter((item) => item.step.stage === stage)
    .reduce((sum, item) => sum + item.duration, 0)

export const problemSteps = (trace: Trace): TraceStep[] => trace.steps.filter(isProblem)

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

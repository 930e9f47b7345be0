import { inLanguages } from '@mynah/plugin-chat/api'

/** Messages to people about runs. */
export const textsFor = inLanguages({
  en: {
    hostStopped: (name: string) =>
      `The task "${name}" was interrupted by a stop of the host and was not started again.`,
    stopped: (name: string, reason: string) =>
      `The task "${name}" was interrupted: ${reason}. It was not started again.`,
    paused: (name: string, failures: number, reason: string) =>
      `The task "${name}" failed ${failures} times in a row and is paused: ${reason}`,
    timedOut: (name: string, limit: string) => `The task "${name}" did not end within ${limit} and was stopped.`,
    undelivered: (name: string, reason: string) =>
      `The task "${name}" has run, and its result did not arrive: ${reason}. The console keeps the result.`,
    hostStoppedMany: (count: number, names: string) =>
      `Tasks that a stop of the host has interrupted: ${count}. They were not started again: ${names}`,
  },
  'zh-CN': {
    hostStopped: (name: string) => `任务“${name}”因主机停止而中断，没有重新开始。`,
    stopped: (name: string, reason: string) => `任务“${name}”已中断：${reason}。没有重新开始。`,
    paused: (name: string, failures: number, reason: string) =>
      `任务“${name}”连续失败 ${failures} 次，已暂停：${reason}`,
    timedOut: (name: string, limit: string) => `任务“${name}”在 ${limit} 内没有结束，已停止。`,
    undelivered: (name: string, reason: string) => `任务“${name}”已运行，但结果没有送达：${reason}。控制台保留了结果。`,
    hostStoppedMany: (count: number, names: string) => `因主机停止而中断的任务：${count} 个，没有重新开始：${names}`,
  },
})

import type { Content } from '@mynah/contract/types'
import { Formatted, inLanguages, Text, type Locale } from '@mynah/plugin-chat/api'
import type { Task } from './types.js'

const en = {
  label: (label: string) => `${label}:\n`,
  none: '(no result)',
  interrupted: (label: string) => `${label}: the host stopped while this ran; it was not started again.`,
  stopped: (label: string) => `${label}: stopped.`,
  failed: (label: string, why: string) => `${label}: this failed. ${why}`.trim(),
}
const textsFor = inLanguages<typeof en>({
  en,
  'zh-CN': {
    label: (label) => `${label}：\n`,
    none: '（没有内容）',
    interrupted: (label) => `${label}：运行时主机停止了，没有重新开始。`,
    stopped: (label) => `${label}：已停止。`,
    failed: (label, why) => `${label}：失败了。${why}`,
  },
})

type Ended = Pick<Task, 'label' | 'state' | 'result'>

/** Returns the result of a task for the chat, in its language. The words of the sub-agent are Markdown. */
export function resultContent(task: Ended, locale: Locale): Content {
  const words = task.state === 'done' ? task.result?.trim() : undefined
  return words ? [Text(textsFor(locale).label(task.label)), Formatted(words)] : resultText(task, locale)
}

/** Returns the result of a task as text, for the chat in its language and for the model. */
export function resultText({ label, state, result }: Ended, locale?: Locale): string {
  const texts = textsFor(locale)
  switch (state) {
    case 'done':
      return texts.label(label) + (result?.trim() || texts.none)
    case 'interrupted':
      return texts.interrupted(label)
    case 'stopped':
      return texts.stopped(label)
    default:
      return texts.failed(label, result ?? '')
  }
}

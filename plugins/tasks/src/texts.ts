import { inLanguages, type Locale } from '@mynah/plugin-chat/api'
import type { Task } from './types.js'

const en = {
  done: (label: string, result: string) => `${label}:\n${result || '(no result)'}`,
  interrupted: (label: string) => `${label}: the host stopped while this ran; it was not started again.`,
  stopped: (label: string) => `${label}: stopped.`,
  failed: (label: string, why: string) => `${label}: this failed. ${why}`.trim(),
}
const textsFor = inLanguages<typeof en>({
  en,
  'zh-CN': {
    done: (label, result) => `${label}：\n${result || '（没有内容）'}`,
    interrupted: (label) => `${label}：运行时主机停止了，没有重新开始。`,
    stopped: (label) => `${label}：已停止。`,
    failed: (label, why) => `${label}：失败了。${why}`,
  },
})

/** Returns the result of a task as text, for the chat in its language and for the model. */
export function resultText(
  { label, state, result }: Pick<Task, 'label' | 'state' | 'result'>,
  locale?: Locale,
): string {
  const texts = textsFor(locale)
  switch (state) {
    case 'done':
      return texts.done(label, result?.trim() ?? '')
    case 'interrupted':
      return texts.interrupted(label)
    case 'stopped':
      return texts.stopped(label)
    default:
      return texts.failed(label, result ?? '')
  }
}

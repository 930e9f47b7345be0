import { defineCommand, inLanguages, param, type Command } from '@mynah/plugin-chat/api'
import type { Jobs } from './api.js'

const textsFor = inLanguages({
  en: { runs: (id: string) => `The job ${id} runs.` },
  'zh-CN': { runs: (id: string) => `作业 ${id} 已开始运行。` },
})

export function jobCommand(jobs: Jobs): Command {
  return defineCommand({
    name: 'job run',
    description: { en: 'Runs a job now', 'zh-CN': '立即运行作业' },
    requiredAnyRole: ['master', 'trusted'],
    args: { id: param.string({ description: { en: 'id of the job', 'zh-CN': '作业 id' } }) },
    async run({ args: { id }, message }) {
      await jobs.run(id, { evenPaused: true })
      return textsFor(message.locale).runs(id)
    },
  })
}

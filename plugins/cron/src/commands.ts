// The command by which people run a job.
import { isWireError } from '@mynah/contract'
import { defineCommand, param, type Command } from '@mynah/plugin-chat/api'
import type { Jobs } from './api.js'

const texts = {
  en: { runs: (id: string) => `The job ${id} runs.` },
  'zh-CN': { runs: (id: string) => `作业 ${id} 已开始运行。` },
} as const

export function jobCommand(jobs: Jobs): Command {
  return defineCommand({
    name: 'job run', description: { en: 'Runs a job now', 'zh-CN': '立即运行作业' }, requiredAnyRole: ['master', 'trusted'],
    args: { id: param.string({ description: 'Id of the job' }) },
    async run({ args: { id }, message }) {
      try {
        await jobs.run(id, { evenPaused: true })
        return texts[message.locale].runs(id)
      } catch (error) {
        if (isWireError(error)) return error.message
        throw error
      }
    },
  })
}

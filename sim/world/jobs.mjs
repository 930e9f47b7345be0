// Jobs that an operator has planned in the console: the host gets each as soon as it can take it.
import { Jobs } from '@mynah/plugin-cron/api'

const RETRY_MS = 1_000

export class PlannedJobs {
  #world

  constructor(world) {
    this.#world = world
  }

  add(step) {
    const { scheduler, host, recorder } = this.#world
    const again = () => scheduler.add('job again', RETRY_MS, () => this.add(step), 0)
    const jobs = host?.get(Jobs)
    if (!jobs) return again()
    const { life } = scheduler
    jobs.add(this.#jobOf(step)).then(
      () => recorder.line(`the job ${step.id} is added`),
      (error) => {
        recorder.line(`the job ${step.id} is refused: ${error.message}`)
        if (error.code === 'not_ready' && life === scheduler.life) again()
      },
    )
  }

  #jobOf({ id, text, platform, at }) {
    const { name } = this.#world.platforms[platform]
    return {
      id,
      trigger: { kind: 'schedule', schedule: { kind: 'at', at: this.#world.epoch + at + 2_000 } },
      action: { kind: 'agent', prompt: text },
      notify: { channel: 'im', platform: name, endpointId: 'one', sceneId: 'owner', scope: 'private' },
      creator: { kind: 'console' },
    }
  }
}

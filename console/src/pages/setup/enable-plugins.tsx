import { useEffect } from 'preact/hooks'
import { call } from '../../kit/call.js'
import { joinList } from '../../kit/join-list.js'
import { useAction } from '../../kit/use-action.js'
import { resources } from '../../lib/resources.js'
import { Button, Code, Notice } from '../../ui/index.js'
import { Quote } from '../../ui/parts/index.js'
import { installCommandIn } from './offers.js'
import { t } from './texts.js'

interface EnablePluginsProps {
  readonly title: string
  readonly plugins: readonly string[]
  /** Whether it begins at once, because a person has pressed a button that says so. */
  readonly now: boolean
  readonly onEnabled: () => void
}

/** Enables plugins, or shows the command that installs them. */
export function EnablePlugins({ title, plugins, now, onEnabled }: EnablePluginsProps) {
  const names = joinList(plugins)
  const enable = useAction(async () => {
    await call('config:enable', { plugins })
    resources.reload('catalogue')
    onEnabled()
  }, 'here')
  useEffect(() => {
    if (now) enable.run()
  }, [now])
  const command = enable.failure === undefined ? undefined : installCommandIn(enable.failure)
  return (
    <div class="setup-enable">
      <Notice
        title={title}
        actions={
          <Button kind="primary" busy={enable.busy} {...enable.blocked} onClick={() => enable.run()}>
            {t('enable', { names })}
          </Button>
        }
      >
        {t('enableText', { names, count: plugins.length })}
      </Notice>
      <div role="status">
        {enable.failure === undefined ? null : <Quote>{enable.failure}</Quote>}
        {command === undefined ? null : (
          <>
            <p>{t('runThis')}</p>
            <Code text={command} label={t('copyCommand')} />
          </>
        )}
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import type { Failure } from '../../lib/failure.js'
import { currentLocale } from '../../lib/i18n.js'
import type { Resource } from '../../lib/use-resource.js'
import { clock } from '../../kit/time-format.js'
import { FailureNotice } from '../failure-notice.js'
import { Skeleton } from '../notice.js'
import { t } from './texts.js'

export interface LoadedProps<T> {
  readonly resource: Resource<T>
  readonly children: (data: T) => ComponentChildren
  readonly rows?: number
  /** Replaces the failure if the host answers 404. */
  readonly missing?: (failure: Failure) => ComponentChildren
  /** Shown below a failure, as the head of an empty table. */
  readonly below?: ComponentChildren
}

export function Loaded<T>({ resource, children, rows = 6, missing, below }: LoadedProps<T>) {
  const { data, failure } = resource
  if (data !== undefined && !(failure?.kind === 'missing' && missing)) return <>{children(data)}</>
  if (!failure) return <Skeleton rows={rows} label={t('loading')} />
  if (failure.kind === 'missing' && missing) return <>{missing(failure)}</>
  return (
    <>
      <FailureNotice failure={failure} onRetry={resource.reload} />
      {failure.kind === 'not-ready' ? below : null}
    </>
  )
}

/** Says how old the data is where a later load failed. */
export function Stale({
  resource,
}: {
  readonly resource: { readonly data?: unknown; readonly failure?: Failure; readonly updatedAt?: number }
}) {
  if (!resource.failure || resource.data === undefined || resource.updatedAt === undefined) return null
  return (
    <span class="bad" title={resource.failure.text}>
      {t('stale', { time: clock(resource.updatedAt, currentLocale()) })}
    </span>
  )
}

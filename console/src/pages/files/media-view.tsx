import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_TRANSFER_LIMIT } from '@mynah/contract/wire'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useAction } from '../../kit/use-action.js'
import { bytes } from '../../lib/format.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Icon } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/index.js'
import { endingOf, mediaTypeOf, nameOf } from './model.js'
import { t } from './texts.js'
import { blobOf, downloadFile } from './transfer.js'

export interface MediaProps {
  readonly path: string
  readonly node: FileTreeNode | undefined
  readonly onBack: () => void
  readonly onText: () => void
}

/** Shows a picture or a PDF file. */
export function MediaView({ path, node, onBack, onText }: MediaProps) {
  const tooBig = (node?.size ?? 0) > FILE_TRANSFER_LIMIT
  const type = mediaTypeOf(path) ?? ''
  return (
    <>
      {tooBig ? (
        <EmptyState title={t('bigTitle')}>
          {t('bigMedia', { name: nameOf(path), size: bytes(node?.size ?? 0) })}
        </EmptyState>
      ) : (
        <Media path={path} type={type} />
      )}
      <MediaFoot path={path} size={node?.size} onBack={onBack} onText={endingOf(path) === 'svg' ? onText : undefined} />
    </>
  )
}

function Media({ path, type }: { readonly path: string; readonly type: string }) {
  const file = useResource<string>(
    `files:download ${path}`,
    async (signal) => (await host().rpc('files:download', { filePath: path }, { signal })).base64,
    'files:download',
  )
  return (
    <Loaded resource={file} rows={10}>
      {(base64) =>
        type === 'application/pdf' ? (
          <Pdf path={path} base64={base64} />
        ) : (
          <Picture key={base64} path={path} address={`data:${type};base64,${base64}`} />
        )
      }
    </Loaded>
  )
}

/**
 * A picture runs no script. Its address is `data:`, not `blob:`: opened on its own, it then has no origin, so that an
 * SVG file cannot act as the console.
 */
function Picture({ path, address }: { readonly path: string; readonly address: string }) {
  const [size, setSize] = useState('')
  const [broken, setBroken] = useState(false)
  return broken ? (
    <EmptyState title={t('brokenPicture')} />
  ) : (
    <figure class="file-picture">
      <img
        src={address}
        alt={nameOf(path)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setBroken(true)}
      />
      <figcaption class="muted">{size}</figcaption>
    </figure>
  )
}

function Pdf({ path, base64 }: { readonly path: string; readonly base64: string }) {
  const [address, setAddress] = useState<string>()
  // Other bytes are no PDF file. The type of the blob keeps it from being anything else.
  const isPdf = base64.startsWith('JVBERi0')
  useEffect(() => {
    if (!isPdf) return
    const made = URL.createObjectURL(blobOf(base64, 'application/pdf'))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [base64])
  if (!isPdf) return <EmptyState title={t('brokenPdf')} />
  return address === undefined ? null : <iframe class="file-pdf" src={address} title={nameOf(path)} />
}

interface FootProps {
  readonly path: string
  readonly size: number | undefined
  readonly onBack: () => void
  readonly onText: (() => void) | undefined
}

function MediaFoot({ path, size, onBack, onText }: FootProps) {
  const download = useAction(() => downloadFile(path))
  return (
    <footer class="file-foot">
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <code class="muted">{path}</code>
      <span class="muted">{size === undefined ? '' : bytes(size)}</span>
      <span class="grow" />
      {onText ? (
        <Button kind="quiet" onClick={onText}>
          {t('asText')}
        </Button>
      ) : null}
      <Button busy={download.busy} onClick={() => download.run()}>
        {t('download')}
      </Button>
    </footer>
  )
}

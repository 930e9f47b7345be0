import type { FileTreeNode } from '@mynah/contract/types'
import { FileView } from './file-view.js'
import { MediaView } from './media-view.js'
import { mediaTypeOf } from './model.js'

export interface OpenFileProps {
  readonly path: string
  readonly node: FileTreeNode | undefined
  /** Whether it is shown as text although it is a picture, too. */
  readonly isText: boolean
  readonly onText: (asText: boolean) => void
  readonly onBack: () => void
  readonly onSaved: () => void
}

/** Shows one file: as a picture, a PDF file or text. */
export function OpenFile({ path, node, isText, onText, onBack, onSaved }: OpenFileProps) {
  const isMedia = mediaTypeOf(path) !== undefined
  if (isMedia && !isText)
    return <MediaView key={path} path={path} node={node} onBack={onBack} onText={() => onText(true)} />
  const onMedia = isMedia ? () => onText(false) : undefined
  return <FileView key={path} path={path} node={node} onBack={onBack} onSaved={onSaved} onMedia={onMedia} />
}

// Reading of documents, for other plugins.
import { service, type Service } from '@mynah/kernel'

/** A document to read. */
export interface DocumentFile {
  readonly bytes: Uint8Array
  /** Name of the file. Its extension counts where the bytes do not show the kind. */
  readonly name: string
  /** Its type as the sender declares it; empty without one. */
  readonly mediaType: string
}

/** The text of a document. */
export interface ReadDocument {
  /** With a mark at the beginning of each page; empty where nothing could be read. */
  readonly text: string
  /** The pages or sheets, each under a line `[page 3 of 10]` or `[<name>]` where the document has these. */
  readonly parts: readonly string[]
  /** The reason why it could not be read, or not completely, in words for the model and its user. */
  readonly problem?: string
}

/** Options of {@link Documents.read}. */
export interface DocumentReadOptions {
  /** Documents of one group, such as a chat, are read one after another. */
  readonly group: string
  readonly signal: AbortSignal
}

/**
 * Turns documents into text, each in a process of its own with limits of time and memory. Nothing of a document is
 * loaded, fetched or run.
 */
export interface Documents {
  /**
   * Returns the text of a document, or `undefined` when it is none that becomes text.
   *
   * @throws the reason of the signal when it aborts
   */
  read(document: DocumentFile, options: DocumentReadOptions): Promise<ReadDocument | undefined>
}
export const Documents: Service<Documents> = service<Documents>('documents', { plugin: 'agent' })

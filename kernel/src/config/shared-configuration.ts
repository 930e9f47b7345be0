// The configuration that several hosts share. Declared here, so that no plugin depends on the one that provides it.
import { service, type Service } from '../base/token.js'

/** The changes in the file of a host that the shared configuration lacks. */
export interface FileComparison {
  /** The revision that the file was made from. */
  readonly revision: number
  /** Hash of the file, by which {@link SharedConfiguration.push} knows it again. */
  readonly sha: string
  /** Lines of a diff with masked secrets. None: the file has no changes. */
  readonly lines: readonly string[]
  /** Where the file lies that was replaced by a revision of another host, if there is one. */
  readonly setAside?: string | undefined
}

/** The configuration that several hosts share, in revisions: each is made from the one before. */
export interface SharedConfiguration {
  /**
   * Makes a text the newest revision, which all hosts then run.
   *
   * @param change the text of the file, and the one that replaces it
   * @param write writes the file, once the revision is stored
   * @throws WireError `conflict` where the file or the shared configuration has changed meanwhile, or the hosts do not
   *   share it; `upstream_unavailable:unknown` where the database does not answer. Nothing was written then
   */
  publish(change: { readonly before: string; readonly after: string }, write: () => Promise<void>): Promise<void>
  /**
   * Makes this host run the newest revision.
   *
   * @returns what people should know, a line each; `undefined` where hosts do not share their configuration, and the
   *   file of each is what it runs
   */
  follow(): Promise<readonly string[] | undefined>
  /**
   * Compares the file, which people may have changed, with the newest revision.
   *
   * @throws WireError `conflict` where the file was not made from that; `invalid_request:config` for a text that is no
   *   YAML
   */
  compare(): Promise<FileComparison>
  /**
   * Makes the file the newest revision, and runs it.
   *
   * @param seen the comparison that a person has agreed to
   * @returns the number of the revision
   * @throws WireError like {@link SharedConfiguration.publish}; `invalid_request:config` for a file that hosts cannot
   *   run
   */
  push(seen: Pick<FileComparison, 'revision' | 'sha'>): Promise<number>
}

/** Provided where several hosts share a database. */
export const SharedConfiguration: Service<SharedConfiguration> = service<SharedConfiguration>('shared-configuration', {
  plugin: 'cluster',
})

// What other plugins may know of Telegram: how to get the file behind a segment.
import { service, type Service } from '@mynah/kernel'

/** A file that somebody sent. */
export interface TelegramFile {
  readonly bytes: Buffer
  /** Name on Telegram's server; the sender's own stands in the segment. */
  readonly name: string
}

/** Files of Telegram: their segments carry `fileId` and no address, since that would hold the token of the bot. */
export interface TelegramFiles {
  /**
   * Fetches a file of up to 20 MB.
   *
   * @throws WireError `not_found` for an endpoint that there is not, `not_ready` for one that is offline,
   * `upstream_unavailable` or `too_large` where Telegram does not give the file.
   */
  download(endpointId: string, fileId: string): Promise<TelegramFile>
}
export const TelegramFiles: Service<TelegramFiles> = service<TelegramFiles>('telegram-files')

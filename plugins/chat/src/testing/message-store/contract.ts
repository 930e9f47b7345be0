import { changeTests, cursorTests } from './changes.js'
import { Fixture, type MessageStoreRig } from './fixture.js'
import { idTests, inboundTests, repeatedInboundTests } from './inbound.js'
import { outboundTests, unclearTests, unsentTests, waitingTests, conditionTests } from './outbound.js'
import { transcriptTests, pageTests, unreadTests } from './reading.js'
import { requestTests, noticeTests, statusTests } from './requests.js'

/**
 * Declares the tests that every `MessageStore` passes. To be called within a `describe`.
 *
 * @param open makes an empty store for one test
 */
export function messageStoreContract(open: () => Promise<MessageStoreRig>): void {
  const fixture = new Fixture()
  beforeEach(() => fixture.open(open))
  idTests(fixture)
  inboundTests(fixture)
  repeatedInboundTests(fixture)
  outboundTests(fixture)
  waitingTests(fixture)
  conditionTests(fixture)
  unsentTests(fixture)
  unclearTests(fixture)
  cursorTests(fixture)
  changeTests(fixture)
  transcriptTests(fixture)
  pageTests(fixture)
  unreadTests(fixture)
  requestTests(fixture)
  noticeTests(fixture)
  statusTests(fixture)
}

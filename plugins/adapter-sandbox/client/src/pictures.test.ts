import { expect } from 'chai'
import { MAX_PICTURE_BYTES, messageContent, readPictures } from './pictures.js'

describe('Pictures', () => {
  const file = (name: string, type: string, size = 10): File => new File([new Uint8Array(size)], name, { type })

  it('become segments with their bytes, after the text', async () => {
    const { pictures, rejected } = await readPictures(
      [new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' })],
      [],
    )
    expect(rejected).to.deep.equal([])
    expect(messageContent('look', pictures)).to.deep.equal([
      { type: 'text', data: { text: 'look' } },
      { type: 'image', data: { name: 'a.png', mime: 'image/png', base64: 'AQID' } },
    ])
    expect(messageContent(' ', pictures)).to.have.length(1)
    expect(messageContent('plain', [])).to.equal('plain')
  })

  it('are rejected by kind, size and number', async () => {
    const { pictures, rejected } = await readPictures(
      [
        file('a.svg', 'image/svg+xml'),
        file('big.png', 'image/png', MAX_PICTURE_BYTES + 1),
        ...Array.from({ length: 5 }, (_, index) => file(`${index}.gif`, 'image/gif')),
      ],
      [],
    )
    expect(pictures).to.have.length(4)
    expect(rejected.map(({ reason }) => reason)).to.deep.equal(['kind', 'size', 'count'])
  })
})

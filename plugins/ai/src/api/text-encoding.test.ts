import { expect } from 'chai'
import { encodingOf, textIn } from './text-encoding.js'

/** Bytes of texts, as spreadsheets write them. */
const TEXTS: Readonly<Record<string, readonly (readonly [hex: string, text: string])[]>> = {
  gb18030: [
    [
      'c3fbb3c62ccafdc1bf2cbcdbb8f10ac6bbb9fb2c332c352e30300acfe3bdb62c31322c322e35300a',
      '名称,数量,价格\n苹果,3,5.00\n香蕉,12,2.50\n',
    ],
    ['6e616d652c636974790a57616e672cb1b1bea90a4c692cc9cfbaa30a', 'name,city\nWang,北京\nLi,上海\n'],
    ['bdf1ccecccecc6f8badcbac3a3acced2c3c7c8a5b9abd4b0c9a2b2bdb0c9a1a3', '今天天气很好，我们去公园散步吧。'],
  ],
  big5: [
    [
      'a657bad92cbcc6b6712cbbf9aee60ac4abaa472c332c352e30300aadbbbfbc2c31322c322e35300a',
      '名稱,數量,價格\n蘋果,3,5.00\n香蕉,12,2.50\n',
    ],
    ['6e616d652c636974790a57616e672cbb4fa55f0a4c692cb0aab6af0a', 'name,city\nWang,臺北\nLi,高雄\n'],
  ],
  shift_jis: [
    ['96bc914f2c909497ca0a82e882f182b22c330a836f836983692c31320a', '名前,数量\nりんご,3\nバナナ,12\n'],
    [
      '8da193fa82cd93568b4382aa82a282a282cc82c58cf6898082f08e5595e082b582dc82b582e582a48142',
      '今日は天気がいいので公園を散歩しましょう。',
    ],
  ],
  'euc-jp': [['ccbec1b02cbff4cecc0aa4eaa4f3a4b42c330aa5d0a5caa5ca2c31320a', '名前,数量\nりんご,3\nバナナ,12\n']],
  'euc-kr': [
    ['c0ccb8a72cbcf6b7ae0abbe7b0fa2c330ab9d9b3aab3aa2c31320a', '이름,수량\n사과,3\n바나나,12\n'],
    ['6e616d652c636974790a4b696d2cbcadbfef0a4c65652cbacebbea0a', 'name,city\nKim,서울\nLee,부산\n'],
  ],
  'windows-1251': [
    ['e8ecff2ceaeeebe8f7e5f1f2e2ee0affe1ebeeeaee2c330ae1e0ede0ed2c31320a', 'имя,количество\nяблоко,3\nбанан,12\n'],
    ['6e616d652c636974790a4976616e2ccceef1eae2e00a506574722ccae0e7e0edfc0a', 'name,city\nIvan,Москва\nPetr,Казань\n'],
  ],
  'koi8-r': [
    ['c9cdd12ccbcfccc9dec5d3d4d7cf0ad1c2cccfcbcf2c330ac2c1cec1ce2c31320a', 'имя,количество\nяблоко,3\nбанан,12\n'],
  ],
  'windows-1252': [
    ['4772f6df653b50726569730ac47066656c3b332c30300a4dfc736c693b322c35300a', 'Größe;Preis\nÄpfel;3,00\nMüsli;2,50\n'],
    [
      '4e6f757320736f6d6d657320616c6ce97320e0206c6120706c6167652c206392e9746169742067e96e69616c2e',
      'Nous sommes allés à la plage, c’était génial.',
    ],
  ],
}

describe('encodingOf', () => {
  for (const [label, texts] of Object.entries(TEXTS))
    for (const [hex, text] of texts)
      it(`reads ${JSON.stringify(text.slice(0, 20))} in ${label}`, async () => {
        const bytes = Buffer.from(hex, 'hex')
        expect(textIn((await encodingOf(bytes)).label, bytes)).to.equal(text)
      })

  it('takes marks, UTF-8 and what a text declares first', async () => {
    expect((await encodingOf(Buffer.from('\ufeffa', 'utf16le'))).label).to.equal('utf-16le')
    expect((await encodingOf(Buffer.from('字'))).label).to.equal('utf-8')
    expect((await encodingOf(Buffer.from('字').subarray(0, 2))).label).to.equal('utf-8')
    expect((await encodingOf(Buffer.from('e4e5', 'hex'), 'iso-8859-5')).label).to.equal('iso-8859-5')
  })

  it('says that a few letters are a guess', async () => {
    expect(await encodingOf(Buffer.from('a;\xfc\n', 'latin1'))).to.deep.equal({ label: 'windows-1252', isGuess: true })
    const [[table = ''] = []] = TEXTS['euc-kr'] ?? []
    expect((await encodingOf(Buffer.from(table, 'hex'))).isGuess).to.equal(false)
  })
})

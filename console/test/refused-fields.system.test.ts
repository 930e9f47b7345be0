import { useBench } from './bench.js'
import { exampleAnswers } from './example-data.js'
import { healthy } from './stand-in.js'

describe('the fields that a model refuses', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })

  for (const { locale, width, text } of [
    { locale: 'en', width: 1440, text: 'asked without stream_options, strict' },
    { locale: 'zh-CN', width: 390, text: '请求中省略 stream_options、strict' },
  ])
    it(`are named below the model (${locale}, ${width} px)`, async () => {
      bench.host.answers = { ...healthy(), ...exampleAnswers() }
      const { page, context } = await bench.signedIn('/agent/models', { locale, viewport: { width, height: 900 } })
      await page.getByText(text).waitFor()
      await context.close()
    })
})

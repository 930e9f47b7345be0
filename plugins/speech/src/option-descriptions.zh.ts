/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'ai.speech.transcription.provider': '用于听写的 ai.providers 别名；默认为第一个能够听写的',
  'ai.speech.transcription.model': '该提供方的模型；默认为其类别的模型',
  'ai.speech.voice.provider': '用于朗读的 ai.providers 别名；默认为第一个能够朗读的',
  'ai.speech.voice.model': '该提供方的模型；默认为其类别的模型',
  'ai.speech.voice.name': '该提供方的语音名称；默认为提供方的默认语音',
  'ai.speech.voice.format': '语音消息的格式',
  'ai.speech.maxSeconds': '可听写的最长录音，秒',
  'ai.speech.maxBytes': '接收或生成的最大录音，字节',
  'ai.speech.maxCharacters': '可朗读的最长文本；更长的以文字发送',
}

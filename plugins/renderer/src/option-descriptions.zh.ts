/** The Chinese descriptions of options. The English ones are in the schemas. */
export const optionDescriptions = {
  'renderer.width': '图片的宽度，以点计',
  'renderer.scale': '每点的像素数',
  'renderer.theme': 'Markdown 的颜色：白底深色文字，或深底浅色文字。HTML 始终绘制在白底上',
  'renderer.fonts': '字体文件（ttf、otf 或 woff），用于自带字体缺少的字符，例如中文',
}

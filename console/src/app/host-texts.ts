// Words of the dialog of hosts; it comes when it is opened.
import { defineTexts } from '../kit/texts.js'

export const t = defineTexts(
  {
    address: 'Address',
    label: 'Label',
    'label.hint': 'Shown in the rail and the top bar of this browser only',
    colour: 'Colour of the stripe',
    'colour.choose': 'Choose a colour',
    'colour.remove': 'Remove',
    'colour.none': 'none yet',
    others: 'Other hosts',
    switch: 'Switch',
    signIn: 'Sign in',
  },
  {
    address: '地址',
    label: '名称',
    'label.hint': '仅在此浏览器的侧栏和顶栏中显示',
    colour: '色条颜色',
    'colour.choose': '选择颜色',
    'colour.remove': '移除',
    'colour.none': '尚未选择',
    others: '其他主机',
    switch: '切换',
    signIn: '登录',
  },
)

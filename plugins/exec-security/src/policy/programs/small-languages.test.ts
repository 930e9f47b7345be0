import { expect } from 'chai'
import { onlyComputes, onlyEdits } from './small-languages.js'

describe('onlyEdits', () => {
  for (const script of [
    's/a/b/',
    's|/usr|/opt|g; s#a#b#2p',
    '1,5p',
    '$!N;P;D',
    '/start/,/end/p',
    '/a/{s/b/c/;d}',
    ':a;N;$!ba;s/\\n/ /g',
    '2i hello',
    '$a\\the end',
    'y/abc/xyz/',
    '',
  ])
    it(`reads ${JSON.stringify(script)}`, () => expect(onlyEdits(script)).to.equal(true))

  for (const script of [
    'e',
    '1e id',
    's/x/id/e',
    's/x/id/ge',
    's,x,id,;e',
    's/x/y/w f',
    'r f',
    'R f',
    'w f',
    '/a/w f',
    '1,2{w f\n}',
    'i a\\\nb\ne id',
    '\\,a,e id',
    's;a;b;e',
    's/[/]/e/',
    's/a/b/\u000be',
    'v;e',
    'p e',
    ':a}s/x/;e id #/;ba',
  ])
    it(`leaves ${JSON.stringify(script)} to the owner`, () => expect(onlyEdits(script)).to.equal(false))
})

describe('onlyComputes', () => {
  for (const program of [
    '{print $1}',
    '{sum+=$2} END {print sum/NR}',
    'NR>1',
    '$3 > 10 {print $1, $2}',
    '/sudo/ { print }',
    '/[a-z]+\\/x/ && !/b/ {n++} END {print n}',
    '{ printf "%s|%d\\n", substr($1, 2), length($0) } # all',
    'BEGIN { FS = ","; OFS = "\\t" } { $1 = $1; print }',
    '{ a[$1]++ } END { for (k in a) print k, a[k] }',
    '{ if ($1 ~ /x/ || $2 == 3) next; gsub(/a/, "b"); print toupper($0) }',
  ])
    it(`reads ${JSON.stringify(program)}`, () => expect(onlyComputes(program)).to.equal(true))

  for (const program of [
    'BEGIN { system("id") }',
    'BEGIN { system\\\n("id") }',
    'BEGIN { "id" | getline x }',
    'BEGIN { "id" |& getline }',
    '{ print | "sh" }',
    '{ print > "f" }',
    '{ print a,\n b > "f" }',
    '{ printf "x" >> "f" }',
    '{ getline < "f" }',
    '{ getline x <\n"f" }',
    'BEGIN { x = i++ / system("id") / 2 }',
    'BEGIN { x = i-- \n/ system("id") / 2 }',
    '/[/]/ / system("id") / 2',
    '/[\\]/] / system("id") /',
    'BEGIN { f = "system"; @f("id") }',
    '@load "x"',
    'BEGIN { print ENVIRON["HOME"] }',
    'BEGIN { ARGV[1] = "f"; ARGC = 2 }',
    'BEGIN { f("id") }',
    '"a\nb"',
  ])
    it(`leaves ${JSON.stringify(program)} to the owner`, () => expect(onlyComputes(program)).to.equal(false))
})

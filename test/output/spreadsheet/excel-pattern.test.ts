import { expect, test } from '#jest';
import { excelPattern } from '../../../src/output/spreadsheet/excel-pattern.ts';

test.each([
  ['yyyy-MM-dd', 'yyyy-mm-dd'],
  ['yyyy-MM-dd HH:mm:ss', 'yyyy-mm-dd hh:mm:ss'],
  ['yyyy-MM-dd HH:mm:ss.SSS', 'yyyy-mm-dd hh:mm:ss.000'],
  ['HH:mm:ss,SSS', 'hh:mm:ss.000'],
  ['dd/MMM/yy', '[$-409]dd\\/mmm\\/yy'],
  ['dd/MMM/yy h:mm a', '[$-409]dd\\/mmm\\/yy h:mm AM/PM'],
  ['d.M.y', 'd\\.m\\.yyyy'],
  ['EEE, d MMMM yyyy', '[$-409]ddd\\, d mmmm yyyy'],
  ['EEEE LLL', '[$-409]dddd mmm'],
  ["d. MMM 'at' kk'h'mm", '[$-409]d\\. mmm "at" hh\\hmm'],
  ['K:mm a', '[$-409]h:mm AM/PM'],
  ['mm:ss', 'mm:ss'],
  ["yyyy''MM", "yyyy\\'mm"],
  ["yyyy'年'MM'月'", 'yyyy\\年mm\\月'],
  ['yyyy \'said "so"\'', 'yyyy "said" \\"\\s\\o\\"'],
])('the Java pattern %s is the number format %s', (pattern, code) => {
  expect(excelPattern(pattern)).toBe(code);
});

test.each([
  ['a letter without counterpart', 'yyyy-MM-dd z'],
  ['an offset', 'yyyy-MM-dd HH:mm XXX'],
  ['the week', "YYYY-'W'ww"],
  ['the day of the year', 'yyyy D'],
  ['the number of the weekday', 'u'],
  ['an era', 'y G'],
  ['twelve hours without AM and PM', 'h:mm'],
  ['twenty-four hours with AM and PM', 'HH:mm a'],
  ['minutes on their own, which Excel takes for the month', 'mm'],
  ['minutes behind the date', 'yyyy-MM-dd mm'],
  ['a month behind the hour, which Excel takes for minutes', 'HH MM'],
  ['a month before seconds', 'MM ss'],
  ['milliseconds without seconds', 'HH:mm.SSS'],
  ['milliseconds without a decimal sign', 'HH:mm:ss SSS'],
  ['a part of the milliseconds', 'ss.S'],
  ['padded days', 'ddd'],
  ['padded years', 'yyyyy'],
  ['no date at all', "'never'"],
  ['a tab', "yyyy'\t'"],
  ['more than 255 characters', 'a.'.repeat(50)],
])('%s has no number format: %s', (_why, pattern) => {
  expect(excelPattern(pattern)).toBeNull();
});

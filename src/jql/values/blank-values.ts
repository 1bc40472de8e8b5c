import type { Compilation } from '../compilation.ts';
import { dateValues } from './date-values.ts';
import { namedValues } from './named-values.ts';
import { numberIn, numberValues } from './number-values.ts';
import { textValues } from './text-values.ts';
import { type Asked, byName, type Values } from './values.ts';

/**
 * A field that no issue fills in, so that nobody can tell what kind it is: what is asked for tells. A number or a date
 * may be had by none but the past; any other value is known from the field's history or refused.
 */
export function blankValues(field: string, title: string, compilation: Compilation): Values {
  const named = namedValues({ title, fields: [field] }, compilation);
  const numbers = numberValues(title, compilation);
  const dates = dateValues(title, compilation);
  const isNumber = (asked: Asked) => asked.kind === 'value' && numberIn(asked.text) !== null;
  const isDate = (asked: Asked) =>
    asked.kind === 'call' || /^(?:\d{4}[-/]|[-+]?\d+[wdhm])/.test(asked.text.trim());
  const kindOf = (asked: Asked) => (isNumber(asked) ? numbers : isDate(asked) ? dates : named);
  return {
    equal: (asked, inList) => kindOf(asked).equal(asked, inList),
    equalThen: (asked, inList) => {
      const kind = kindOf(asked);
      return (kind.equalThen ?? kind.equal)(asked, inList);
    },
    compare: (sign, asked) => (isNumber(asked) ? numbers : dates).compare?.(sign, asked) ?? (() => false),
    contain: (asked) => textValues(title, compilation).contain?.(asked) ?? (() => false),
    sortKey: byName,
  };
}

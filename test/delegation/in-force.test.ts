import { describe, expect, test } from '#jest';
import { coversCategory, isInForce } from '../../src/delegation/in-force.ts';
import { aDelegation } from '../support/a-delegation.ts';

const away = aDelegation('ada').to('bob').from('2026-03-02T09:00Z').until('2026-03-06T17:00Z');

describe('a delegation is in force', () => {
  test.each([
    ['not a millisecond before its start', '2026-03-02T08:59:59.999Z', false],
    ['from its start', '2026-03-02T09:00Z', true],
    ['until a millisecond before its end', '2026-03-06T16:59:59.999Z', true],
    ['not at its end', '2026-03-06T17:00Z', false],
  ])('%s', (_, at, expected) => {
    expect(isInForce(away.delegation, Date.parse(at))).toBe(expected);
  });

  test('never while it is inactive', () => {
    expect(isInForce(away.inactive().delegation, Date.parse('2026-03-03T12:00Z'))).toBe(false);
  });

  test('at no instant where it ends as it starts', () => {
    const none = away.until('2026-03-02T09:00Z').delegation;
    expect(isInForce(none, none.start)).toBe(false);
  });
});

describe('a delegation covers', () => {
  test.each([
    ['every category where it is general', [], 1, true],
    ['general where it is general', [], null, true],
    ['a category it names', [1, 2], 2, true],
    ['no category beside those it names', [1, 2], 3, false],
    ['not general where it names categories', [1, 2], null, false],
  ])('%s', (_, named, asked, expected) => {
    expect(coversCategory(away.in(...named).delegation, asked)).toBe(expected);
  });
});

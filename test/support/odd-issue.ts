import fc from 'fast-check';
import type { Change, FieldContent, FieldValue, History, Issue } from '../../src/model/issue.ts';
import { anyCharacter } from './any-character.ts';

/** Texts that repeat, numbers written as texts, and whatever else a text may be. */
const anyText = fc.oneof(
  fc.constantFrom('', 'status', 'Ada', '0', '007', '10042', '900719925474099267', 'WEB-1', '__proto__'),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({ minLength: 81, maxLength: 90 }),
);

const anyValue: fc.Arbitrary<FieldValue> = fc.record({ id: anyText, name: anyText });

const anInstant = fc.oneof(fc.integer({ min: -1e12, max: 2e12 }), fc.maxSafeInteger());

const anyContent: fc.Arbitrary<FieldContent> = fc.oneof(
  fc.constant(null),
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  anInstant,
  anyValue,
  fc.array(anyValue, { maxLength: 3 }),
);

const anyChange: fc.Arbitrary<Change> = fc.record({
  entry: anyText,
  item: fc.oneof(fc.nat(3), fc.integer()),
  at: anInstant,
  field: anyText,
  from: fc.option(anyValue),
  to: fc.option(anyValue),
  by: fc.option(anyText),
});

const anyHistory: fc.Arbitrary<History> = fc.oneof(
  fc.constant<History>({ complete: true }),
  fc.record({
    complete: fc.constant<false>(false),
    unknownFrom: fc.option(anInstant),
    unknownUntil: fc.option(anInstant),
    reason: anyText,
  }),
);

/** Any issue that can be written down at all, with whatever is optional or not. */
export const anOddIssue: fc.Arbitrary<Issue> = fc
  .record(
    {
      id: anyText,
      key: fc.oneof(anyText, fc.constantFrom('WEB-1', 'WEB-07', 'A-B-12', '-3', 'WEB-')),
      project: anyValue,
      summary: anyText,
      created: anInstant,
      updated: anInstant,
      resolved: fc.option(anInstant),
      status: anyValue,
      assignee: fc.option(anyValue),
      fields: fc.array(fc.tuple(anyText, anyContent), { maxLength: 6 }),
      changes: fc.array(anyChange, { maxLength: 6 }),
      history: anyHistory,
      link: anyText,
    },
    {
      requiredKeys: [
        ...(['key', 'project', 'summary', 'created', 'updated', 'resolved', 'status'] as const),
        ...(['assignee', 'fields', 'changes', 'history'] as const),
      ],
    },
  )
  .chain(({ fields, ...issue }) =>
    // Much of what fields hold repeats what the issue tells anyway.
    fc.boolean().map(
      (repeats): Issue => ({
        ...issue,
        fields: Object.fromEntries([
          ...fields,
          ...(repeats
            ? ([
                ['summary', issue.summary],
                ['created', issue.created],
                ['updated', issue.updated],
                ['resolutiondate', issue.resolved],
                ['status', issue.status],
              ] as const)
            : []),
        ]),
        ...(issue.link === undefined || !repeats ? {} : { link: `https://stand-in.example/${issue.key}` }),
      }),
    ),
  );

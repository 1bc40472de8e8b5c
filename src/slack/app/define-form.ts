import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { tryParseJson } from '../../api/parameters/check-parameters.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { shorten } from '../../output/readable-text.ts';
import { escapeMrkdwn, plainSection, section } from '../blocks/mrkdwn.ts';
import { plainText } from './form-inputs.ts';
import type { Inputs, ModalAnswer, Place, SlackModal, Submission } from './handler-types.ts';
import { notice } from './message-texts.ts';
import { capitalized, slackText, typedSentence } from './show-failure.ts';

/** The place where a form was opened, as the form carries it. */
export const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });

/** More of a warning above a form pushes its fields out of sight. */
const MAX_WARNING = 1_000;

type Element = InputBlock['element'];

interface FieldOptions {
  readonly hint?: string;
  readonly optional?: boolean;
  /** The `block_id`; absent: the `action_id`. */
  readonly block?: string;
  /** Slack sends a click as soon as the field is changed. */
  readonly isWatched?: boolean;
  /** Names of the field in an AppError, and the kinds of things (`data.kind`) that are named in it. */
  readonly about?: readonly string[];
}

/** An input of a form: the name of its value, and its element, which is filled with that. */
interface Field<Name extends string, Value> extends FieldOptions {
  readonly field: Name;
  readonly label: string;
  // A method, so that the fields of all values are of one type.
  element(value: Value): Element;
}

/** An input of a form; see `input` for its element. */
export function field<Name extends string, Value>(
  name: Name,
  label: string,
  element: (value: Value) => Element,
  options: FieldOptions = {},
): Field<Name, Value> {
  return { field: name, label, element, ...options };
}

type AnyField<Values> = { [Name in keyof Values & string]: Field<Name, Values[Name]> }[keyof Values & string];

/** Sentences by the `block_id` of the input they are about; what no shown input has is about the form. */
export type Wrong = Readonly<Record<string, string>>;

/** An input's schema reads what Slack sends: a string, strings (of menus for several, and of accounts) or an instant. */
type Reads = Readonly<Record<string, z.ZodType>>;

/** A form's values: what it carries, and what was entered in its fields. */
type FormValues<Carried extends z.ZodType, Read extends Reads> = z.output<Carried> & {
  readonly [Name in keyof Read]: z.output<Read[Name]>;
};

interface FormDefinition<Carried extends z.ZodType<object>, Read extends Reads, Values, Choices> {
  /** The `callback_id`. */
  readonly id: string;
  readonly title: string;
  readonly submit: string;
  /** Reads the values in `private_metadata`. An input that is absent or cannot be read leaves its value as it is there. */
  readonly carried: Carried;
  /** The schemas of the inputs by the names of their values; what neither is entered nor carried is their default. */
  readonly reads: Read;
  /** The `action_id` of each input that is not called as its value. */
  readonly ids?: { readonly [Name in keyof Values]?: string };
  /** Makes the `private_metadata` of the form with these blocks; absent: what `carried` reads of the values. */
  readonly carry?: (values: Values, blocks: readonly KnownBlock[]) => z.input<Carried>;
  /** The title and the submit button, where they depend on the values. */
  readonly words?: (values: Values) => { readonly title?: string; readonly submit?: string };
  /** Part of each `block_id`: Slack keeps what was entered in an input whose id stays. */
  readonly generation?: (values: Values) => number;
  /** The blocks in order, an input for each field. */
  readonly rows: (values: Values, choices: Choices) => readonly (KnownBlock | AnyField<Values>)[];
  /** Labels of fields that are not always shown, by their names in an AppError. */
  readonly labels?: Readonly<Record<string, string>>;
  /** A sentence for a failure that leaves everything as it was, such as `Nothing was saved.` */
  readonly refused?: string;
}

interface FormModal<Values, Choices, Parts> extends Pick<SlackModal<Parts>, 'meanwhile'> {
  /** The place of the answer if the modal was closed meanwhile. */
  readonly placeOf: (values: Values, submission: Submission) => Place;
  /** The problems at first sight; with any, the form stays open and nothing is answered. */
  readonly wrongAtOnce?: (values: Values, now: Instant, submission: Submission) => Wrong;
  readonly answer: (values: Values, submission: Submission, parts: Parts) => Promise<ModalAnswer>;
  /** Makes the choices of a form that comes back with a failure; absent: it comes back only as the answer says. */
  readonly choices?: (values: Values, submission: Submission, parts: Parts) => Promise<Choices>;
}

/**
 * Makes a form of one definition: its schemas read what its inputs show. An example: `src/slack/watches/watch-form.ts`.
 */
export function defineForm<Carried extends z.ZodType<object>, Read extends Reads, Choices>(
  definition: FormDefinition<Carried, Read, FormValues<Carried, Read>, Choices>,
) {
  type Values = FormValues<Carried, Read>;
  const { id, title, submit, carried, reads, rows, generation, refused } = definition;
  const carry = definition.carry ?? ((values: Values) => carried.parse(values));
  const ids = new Map<string, string | undefined>(Object.entries(definition.ids ?? {}));
  const actionOf = (name: string) => ids.get(name) ?? name;
  const idOf = (row: Pick<Field<string, never>, 'field' | 'block'>) => row.block ?? actionOf(row.field);
  const blockId = (block: string, values: Values) =>
    generation === undefined ? block : `${block}.${generation(values)}`;

  const isReadable = ({ metadata }: Pick<Submission, 'metadata'>) =>
    carried.safeParse(tryParseJson(metadata)).success;

  function read({ metadata, ...inputs }: Inputs & { readonly metadata: string }): Values {
    const before = new Map<string, unknown>(Object.entries(carried.parse(JSON.parse(metadata))));
    const { texts, instants, accounts, chosenAll, chosen } = inputs;
    const after = new Map<string, unknown>(
      [texts, instants, accounts, chosenAll, chosen].flatMap((some) => Object.entries(some)),
    );
    const values = Object.entries(reads).map(([name, schema]) => {
      const { success, data } = schema.safeParse(after.get(actionOf(name)));
      if (success && after.has(actionOf(name))) return [name, data];
      return [name, before.has(name) ? before.get(name) : schema.parse(undefined)];
    });
    return { ...Object.fromEntries(before), ...Object.fromEntries(values) } as Values;
  }

  function inputOf<Name extends keyof Values & string>(
    row: Field<Name, Values[Name]>,
    values: Values,
  ): InputBlock {
    const { hint, optional = false, isWatched } = row;
    return {
      type: 'input',
      block_id: blockId(idOf(row), values),
      label: plainText(row.label),
      optional,
      // An element may have a name of its own.
      element: { action_id: actionOf(row.field), ...row.element(values[row.field]) },
      ...(hint !== undefined && { hint: plainText(hint) }),
      ...(isWatched && { dispatch_action: true }),
    };
  }

  /** The form filled with values; each sentence of `wrong` is below its input, or above the form. */
  function view(values: Values, choices: Choices, wrong: Wrong | string | null = null): ModalView {
    const above = new Map(Object.entries(typeof wrong === 'string' ? { '': wrong } : (wrong ?? {})));
    const shown = rows(values, choices).flatMap((row): KnownBlock[] => {
      if (!('field' in row)) return [row];
      const below = above.get(idOf(row));
      above.delete(idOf(row));
      return [inputOf(row, values), ...(below === undefined ? [] : [plainSection(`⚠ ${below}`)])];
    });
    const warnings = [...above.values()].map((text) => escapeMrkdwn(shorten(text, MAX_WARNING)));
    const blocks = [...warnings.map((text) => section(`:warning: ${text}`)), ...shown];
    const words = { title, submit, ...definition.words?.(values) };
    return {
      type: 'modal',
      callback_id: id,
      private_metadata: JSON.stringify(carry(values, blocks)),
      title: plainText(words.title),
      submit: plainText(words.submit),
      close: plainText('Cancel'),
      blocks,
    };
  }

  /** The form as it was filled, with what an error says: at each field that it names, else above. */
  function again(values: Values, choices: Choices, error: AppError): ModalAnswer {
    const fields = rows(values, choices).flatMap((row) => ('field' in row ? [row] : []));
    const problems = problemsIn(error).map(({ name, problem, sentence }) => {
      const at = fields.find(({ about }) => about?.includes(name));
      const label = problem === '' ? undefined : definition.labels?.[name];
      const above = label === undefined ? sentence : `${label}: ${problem}`;
      return at === undefined
        ? { id: '', text: above, labeled: above }
        : { id: idOf(at), text: capitalized(problem), labeled: `${at.label}: ${problem}` };
    });
    const grouped = Object.entries(Object.groupBy(problems, (one) => one.id));
    const wrong = grouped.map(([at, some = []]) => [at, some.map(({ text }) => text).join(' ')]);
    const text = escapeMrkdwn(problems.map(({ labeled }) => labeled).join(' '));
    return {
      ...notice(...[refused ?? []].flat(), text),
      again: view(values, choices, Object.fromEntries(wrong)),
    };
  }

  /** Its submissions, as the Slack door answers them. */
  function modal<Parts>({ meanwhile, ...of }: FormModal<Values, Choices, Parts>): SlackModal<Parts> {
    return {
      id,
      title,
      meanwhile,
      placeOf: (submission) =>
        isReadable(submission)
          ? of.placeOf(read(submission), submission)
          : { channel: submission.principal.account, threadTs: null },
      wrongAtOnce(submission, now) {
        if (!isReadable(submission)) return {};
        const values = read(submission);
        const wrong = Object.entries(of.wrongAtOnce?.(values, now, submission) ?? {});
        return Object.fromEntries(wrong.map(([block, text]) => [blockId(block, values), text]));
      },
      async answer(submission, parts) {
        // Another version of Dwell showed the form, before an update or on another machine.
        if (!isReadable(submission)) {
          throw badRequest('This form is from another version of Dwell. Try: close it and open it again.');
        }
        const values = read(submission);
        try {
          return await of.answer(values, submission, parts);
        } catch (error) {
          // With what is away it is unknown how far it came: a form that came back could be submitted twice.
          const isKnown = error instanceof AppError && error.code !== 'unavailable';
          if (of.choices === undefined || !isKnown) throw error;
          const choices = await of.choices(values, submission, parts).catch(() => null);
          if (choices === null) throw error;
          return again(values, choices, error);
        }
      },
    };
  }

  return { read, view, again, modal };
}

/** The sentences of an error; `name` is the field or the kind of thing that each is about, empty where it names none. */
function problemsIn(error: AppError) {
  const { code, fields, parts, message, data } = error;
  if (code !== 'bad-request') return [{ name: '', problem: '', sentence: slackText(error) }];
  return (parts.length === 0 ? [message] : parts).map((part) => {
    const sentence = typedSentence(part);
    if (typeof part !== 'string')
      return { name: part.field, problem: part.problem.replace(/^:?\s*/, '').trim(), sentence };
    const named = Object.keys(fields).find((name) => fields[name] === part);
    return { name: named ?? data.kind ?? '', problem: part, sentence };
  });
}

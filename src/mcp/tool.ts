import { z } from 'zod';
import type { AnswersApi } from '../api/answers/answers-api.ts';
import type { DelegationApi } from '../api/delegations/delegation-api.ts';
import type { ExportsApi } from '../api/exports/exports-api.ts';
import type { FlowsApi } from '../api/flows/create-flows.ts';
import { checkParameters, tryParseJson, wrongFields } from '../api/parameters/check-parameters.ts';
import { shown } from '../api/parameters/parameter.ts';
import { DEFAULT_CALENDAR } from '../api/parameters/report.ts';
import type { PeopleApi } from '../api/people/create-people.ts';
import type { Tokens } from '../api/people/tokens.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { SettingsApi } from '../api/settings/settings-api.ts';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';

/** The parts of tools: the ports of the other doors. */
export interface ToolParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly flows: Pick<FlowsApi, 'flow'>;
  readonly exports: ExportsApi;
  readonly answers: AnswersApi;
  /** People go by login. */
  readonly delegations: DelegationApi;
  readonly people: Pick<PeopleApi, 'users'>;
  readonly tokens: Pick<Tokens, 'provenBy'>;
  readonly now: () => Instant;
  /** The zone of the server, in which cover is shown. */
  readonly timeZone: string;
  readonly version: string;
  /** The address that links of exports begin with, without a slash at the end; null: files are on this very machine. */
  readonly baseUrl: string | null;
}

/** The parts for one call, with its principal and the signal that its client is gone. */
export interface ToolContext extends ToolParts {
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** The answer of a tool for programs, and the same to read. */
interface ToolAnswer<Content = Readonly<Record<string, unknown>>> {
  readonly content: Content;
  readonly text: string;
}

interface ToolFacts {
  /** The name, in snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly output: z.ZodObject;
  /** It looks through many issues: of one principal only a few are answered at a time. */
  readonly takesLong: boolean;
}

/** A tool as the list has it, whatever its arguments. */
export interface Tool extends ToolFacts {
  readonly parameters: z.ZodObject;
  call(given: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolAnswer>;
}

/** Binds a tool's parameters to its answer: what reaches `answer` has passed the schema. */
export function defineTool<Parameters extends z.ZodObject, Output extends z.ZodObject>({
  answer,
  ...tool
}: ToolFacts & {
  readonly parameters: Parameters;
  readonly output: Output;
  answer(input: z.output<Parameters>, context: ToolContext): Promise<ToolAnswer<z.output<Output>>>;
}): Tool {
  return {
    ...tool,
    async call(given, context) {
      const { shape } = tool.parameters;
      const named = 'calendar' in shape ? await calendarNamed(given.calendar, context.settings) : {};
      return answer(readArguments(tool.parameters, { ...given, ...named }), context);
    },
  };
}

/** A call without a calendar is measured by the default one. */
async function calendarNamed(given: unknown, settings: SettingsApi): Promise<{ readonly calendar?: string }> {
  const text = String(given ?? '').trim();
  const isDefault = text === '' || text.toLowerCase() === DEFAULT_CALENDAR;
  return isDefault ? { calendar: await settings.defaultCalendar() } : {};
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Checks arguments by the parameters that REST takes: lists become comma lists, other values than text their JSON. Empty
 * text and null count as left out, and an unknown argument is refused: a misspelt one would change the figures.
 */
function readArguments<Schema extends z.ZodObject>(schema: Schema, given: Arguments): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw wrongFields(
      unknown.map((name) => ({
        name: shown(name),
        sentence: `${shown(name)} is not known. Try: ${names.join(', ')}.`,
        reason: 'unknown-parameter',
      })),
    );
  }
  const members = Object.entries(schema.shape);
  const plain = members.filter(([, member]) => !(member instanceof z.ZodObject));
  const texts = plain.flatMap(([name]) => {
    const text = textOf(given[name]);
    return text.trim() === '' ? [] : [[name, text] as const];
  });
  const nested = members.flatMap(([name, member]) =>
    member instanceof z.ZodObject
      ? [[name, withinField(name, () => readArguments(member, objectIn(given[name])))] as const]
      : [],
  );
  const checked = checkParameters(z.object(Object.fromEntries(plain)), new Map(texts));
  // Each member is the output of the schema of its name.
  return { ...checked, ...Object.fromEntries(nested) } as z.output<Schema>;
}

/** Runs a function whose failures name the member that they are in. */
export function withinField<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason, message, parts, fields, data } = error;
    const named = Object.entries(fields).map(([field, sentence]) => [`${name}.${field}`, sentence]);
    const details = parts.map((part) =>
      typeof part === 'string' ? `In ${name}: ${part}` : { ...part, field: `${name}.${part.field}` },
    );
    throw new AppError(reason, message, details, { fields: Object.fromEntries(named), data });
  }
}

/** Some assistants send an object as its JSON. */
function objectIn(value: unknown): Arguments {
  const object = typeof value === 'string' ? tryParseJson(value) : value;
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? { ...object } : {};
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

import { isJson, type Json, objectsOf } from './slack-json.ts';

/** Blocks with the `block_id` and `action_id` Slack makes up where the app gave none. */
export function fillIds(blocks: readonly Json[], newId: () => string): Json[] {
  const shortId = () => newId().slice(0, 5);
  const withAction = (element: unknown): unknown =>
    isJson(element) && isInteractive(element) ? { action_id: shortId(), ...element } : element;
  const withBlock = (block: Json): Json => {
    const filled: Record<string, unknown> = { block_id: shortId(), ...block };
    for (const name of ['elements', 'actions']) {
      const members = filled[name];
      if (Array.isArray(members) && block.type !== 'rich_text')
        filled[name] = members.map((member) =>
          isJson(member) && member.type === 'card' ? withBlock(member) : withAction(member),
        );
    }
    for (const name of ['accessory', 'element'])
      if (filled[name] !== undefined) filled[name] = withAction(filled[name]);
    if (Array.isArray(filled.child_blocks))
      filled.child_blocks = filled.child_blocks.map((child) => (isJson(child) ? withBlock(child) : child));
    return filled;
  };
  return blocks.map(withBlock);
}

function isInteractive(element: Json): boolean {
  return !['image', 'mrkdwn', 'plain_text'].includes(String(element.type));
}

/** Every element of these blocks a person can act upon, with the block it stands in. */
export function interactiveElements(blocks: readonly Json[]): { blockId: string; element: Json }[] {
  return blocks.flatMap((block) => {
    const nested = ['elements', 'child_blocks', 'actions'].flatMap((name) => {
      const members = block[name];
      return Array.isArray(members) ? members.filter(isJson) : [];
    });
    const children = nested.filter((child) => child.block_id !== undefined);
    const own = [...nested.filter((child) => child.block_id === undefined), block.accessory, block.element]
      .filter(isJson)
      .filter((element) => element.action_id !== undefined);
    return [
      ...own.map((element) => ({ blockId: String(block.block_id), element })),
      ...interactiveElements(children),
    ];
  });
}

/** What a person entered in one element: a text or an option's value, several of them, or nothing. */
export type Entry = string | readonly string[] | null;

/** Entries by `action_id`, or by `block_id.action_id` where an `action_id` repeats. */
export type Entries = Readonly<Record<string, Entry>>;

/** What people have entered in messages and views so far. */
export type InputState = ReturnType<typeof createInputState>;

/** Nothing entered yet. */
export function createInputState() {
  const entered = new Map<string, Record<string, Entry>>();
  const offered = new Map<string, Json>();
  return {
    /** Remembers options an app offered for an external menu, so that a choice can be sent back whole. */
    offer(options: readonly Json[]): void {
      for (const option of options) offered.set(String(option.value), option);
    },

    enter(place: string, entries: Entries): void {
      entered.set(place, { ...entered.get(place), ...entries });
    },

    /** The elements' state as `state.values` of an interaction. */
    valuesOf(place: string, blocks: readonly Json[]): Record<string, Record<string, Json>> {
      const values: Record<string, Record<string, Json>> = {};
      for (const { blockId, element } of interactiveElements(blocks)) {
        if (!hasState(element)) continue;
        const entries = entered.get(place) ?? {};
        const actionId = String(element.action_id);
        // Null is an entry too: a field that was emptied does not fall back on what it began with.
        const named = `${blockId}.${actionId}`;
        const entry = named in entries ? entries[named] : entries[actionId];
        const state = entry === undefined ? initialState(element) : stateOf(element, entry, offered);
        values[blockId] = { ...values[blockId], [actionId]: state };
      }
      return values;
    },

    /** The part of an action that tells what was chosen. */
    chosen: (element: Json, entry: Entry): Json => stateOf(element, entry, offered),
  };
}

function hasState({ type }: Json): boolean {
  return !['button', 'overflow', 'workflow_button', 'feedback_buttons', 'icon_button'].includes(String(type));
}

/** How each kind of element names its one value, and its value at the start. */
const single: Readonly<Record<string, readonly [string, string]>> = {
  plain_text_input: ['value', 'initial_value'],
  email_text_input: ['value', 'initial_value'],
  url_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  users_select: ['selected_user', 'initial_user'],
  channels_select: ['selected_channel', 'initial_channel'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  datetimepicker: ['selected_date_time', 'initial_date_time'],
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  radio_buttons: ['selected_option', 'initial_option'],
  overflow: ['selected_option', 'initial_option'],
  rich_text_input: ['rich_text_value', 'initial_value'],
  checkboxes: ['selected_options', 'initial_options'],
  multi_static_select: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  multi_users_select: ['selected_users', 'initial_users'],
  multi_channels_select: ['selected_channels', 'initial_channels'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations'],
};

function initialState(element: Json): Json {
  const type = String(element.type);
  const [name = 'value', initial = 'initial_value'] = single[type] ?? [];
  const empty = name.endsWith('s') ? [] : null;
  return { type, [name]: element[initial] ?? empty };
}

function stateOf(element: Json, entry: Entry, offered: ReadonlyMap<string, Json>): Json {
  const type = String(element.type);
  const [name = 'value'] = single[type] ?? [];
  return { type, [name]: chosenIn(name, element, entry, offered) };
}

function chosenIn(name: string, element: Json, entry: Entry, offered: ReadonlyMap<string, Json>): unknown {
  const many = entry === null ? [] : typeof entry === 'string' ? [entry] : entry;
  const one = many[0] || null;
  const optionOf = (value: string) =>
    optionsOf(element).find((each) => each.value === value) ?? offered.get(value);
  if (name === 'selected_options') return many.map(optionOf).filter((option) => option !== undefined);
  if (name === 'selected_option') return one === null ? null : (optionOf(one) ?? null);
  if (name === 'selected_date_time') return one === null ? null : Number(one);
  if (name === 'rich_text_value') return one === null ? null : plainRichText(one);
  return name.endsWith('s') ? many : one;
}

function optionsOf(element: Json): Json[] {
  const groups = objectsOf(element.option_groups).flatMap((group) => objectsOf(group.options));
  const initial = [element.initial_option, ...objectsOf(element.initial_options)].filter(isJson);
  return [...objectsOf(element.options), ...groups, ...initial];
}

function plainRichText(text: string): Json {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** What Slack's client says, by `block_id`, before it even asks the app. */
export function missingEntries(
  blocks: readonly Json[],
  values: Readonly<Record<string, Readonly<Record<string, Json>>>>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input' || !isJson(block.element)) continue;
    const blockId = String(block.block_id);
    const state = values[blockId]?.[String(block.element.action_id)];
    const complaint = state && complain(block.element, state, block.optional === true);
    if (complaint) errors[blockId] = complaint;
  }
  return errors;
}

function complain(element: Json, { type: _, ...state }: Json, optional: boolean): string | undefined {
  const [value] = Object.values(state);
  const empty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return optional ? undefined : 'Please complete this required field.';
  if (typeof value !== 'string') return undefined;
  const least = Number(element.min_length ?? 0);
  if (value.length < least) return `Please enter at least ${least} characters.`;
  if (value.length > Number(element.max_length ?? Number.POSITIVE_INFINITY))
    return `Please enter no more than ${element.max_length} characters.`;
  if (element.type === 'number_input') return complainNumber(element, value);
  if (element.type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value))
    return 'Please enter a valid email address.';
  if (element.type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  return undefined;
}

function complainNumber(element: Json, value: string): string | undefined {
  const number = Number(value);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (element.min_value !== undefined && number < Number(element.min_value))
    return `Please enter a number of at least ${element.min_value}.`;
  if (element.max_value !== undefined && number > Number(element.max_value))
    return `Please enter a number of at most ${element.max_value}.`;
  return undefined;
}

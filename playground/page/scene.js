import { act } from './server.js';

/**
 * Where blocks are drawn, and what their elements do there.
 * @typedef {ReturnType<typeof createScene>} Scene
 */

/** Options of external menus already chosen once, so that they keep their text. */
const remembered = new Map();

/**
 * @param {object} state what the page knows of the workspace
 * @param {{channel: string, ts: string} | {viewId: string}} place
 * @param {{entries?: Map<string, unknown>, blocks: object[]}} held what was entered so far; `input` blocks report there only
 */
export function createScene(state, place, { entries = new Map(), blocks }) {
  const key = (blockId, element) => `${blockId}.${element.action_id}`;
  const inputOf = (blockId) => blocks.find((block) => block.block_id === blockId && block.type === 'input');
  const call = (blockId, element) => ({ user: state.me, place, blockId, actionId: element.action_id });
  return {
    names: state.names,
    people: state.people,
    channels: state.channels,
    now: state.now,
    remembered,
    place,
    entries,
    dispatches: (blockId) => inputOf(blockId)?.dispatch_action === true,
    enter: (blockId, element, entry) => entries.set(key(blockId, element), entry),
    entryOf: (blockId, element) =>
      entries.has(key(blockId, element)) ? entries.get(key(blockId, element)) : initialEntry(element),

    async use(blockId, element, entry) {
      if (entry !== undefined) entries.set(key(blockId, element), entry);
      const input = inputOf(blockId);
      if (input && input.dispatch_action !== true) return;
      await act('click', { ...call(blockId, element), ...(entry === undefined ? {} : { entry }) });
    },

    options: (blockId, element, query) => act('options', { ...call(blockId, element), query }),
  };
}

function initialEntry(element) {
  const single =
    element.initial_option?.value ??
    element.initial_date ??
    element.initial_time ??
    element.initial_user ??
    element.initial_channel ??
    element.initial_conversation;
  const many =
    element.initial_options?.map(({ value }) => value) ??
    element.initial_users ??
    element.initial_channels ??
    element.initial_conversations;
  const number = element.initial_date_time === undefined ? undefined : String(element.initial_date_time);
  const text = typeof element.initial_value === 'string' ? element.initial_value : undefined;
  return single ?? many ?? number ?? text ?? null;
}

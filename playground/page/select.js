import { picker } from './picker.js';

const wordsOf = (option) => ({
  value: option.value,
  text: option.text.text,
  description: option.description?.text,
});

function optionGroups(options, groups = []) {
  return groups.length > 0
    ? groups.map((group) => ({ label: group.label.text, options: group.options.map(wordsOf) }))
    : [{ options: (options ?? []).map(wordsOf) }];
}

function filtered(groups, query) {
  const words = query.trim().toLowerCase();
  const kept = groups.map((group) => ({
    ...group,
    options: group.options.filter(({ text }) => text.toLowerCase().includes(words)),
  }));
  return { groups: kept.filter((group) => group.options.length > 0) };
}

/** What a menu can offer, by the kind of menu. */
const sources = {
  static: (element) => {
    const groups = optionGroups(element.options, element.option_groups);
    return {
      known: groups.flatMap((group) => group.options),
      load: async (query) => filtered(groups, query),
    };
  },
  users: (_, { scene }) =>
    fixed(
      scene.people.map(({ id, realName, name }) => ({ value: id, text: realName, description: `@${name}` })),
    ),
  channels: (_, { scene }) => fixed(scene.channels.map(({ id, name }) => ({ value: id, text: `# ${name}` }))),
  conversations: (_, { scene }) =>
    fixed([
      ...scene.channels.map(({ id, name }) => ({ value: id, text: `# ${name}` })),
      ...scene.people.map(({ id, realName }) => ({ value: id, text: realName })),
    ]),
  external: (element, { scene, blockId }) => ({
    known: [element.initial_option, ...(element.initial_options ?? [])].filter(Boolean).map(wordsOf),
    load: async (query) => {
      const least = element.min_query_length ?? 3;
      if (query.length < least)
        return { groups: [], hint: `Type at least ${least} character${least === 1 ? '' : 's'} to search` };
      const answer = await scene.options(blockId, element, query);
      if (answer.failed || answer.ok === false)
        return { groups: [], failed: 'Sorry, we couldn’t load any options' };
      return { groups: optionGroups(answer.options, answer.groups) };
    },
  }),
};

function fixed(options) {
  return { known: options, load: async (query) => filtered([{ options }], query) };
}

/** A select menu of any kind, for one choice or several. */
export function select(element, place) {
  const [, multi, kind] = /^(multi_)?(\w+)_select$/.exec(element.type);
  const source = sources[kind](element, place);
  const entries = [place.entry ?? []].flat();
  const remembered = place.scene.remembered;
  const selected = entries.map(
    (value) =>
      source.known.find((each) => each.value === value) ?? remembered.get(value) ?? { value, text: value },
  );
  return picker({
    label: place.label,
    placeholder: element.placeholder?.text ?? (multi ? 'Select options' : 'Select an option'),
    multi: Boolean(multi),
    most: element.max_selected_items,
    selected,
    load: source.load,
    onChange: (chosen) => {
      for (const each of chosen) remembered.set(each.value, each);
      place.use(multi ? chosen.map(({ value }) => value) : (chosen[0]?.value ?? null));
    },
  });
}

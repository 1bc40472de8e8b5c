import { avatar } from './avatar.js';
import { fill, h } from './dom.js';
import { icon } from './icons.js';
import { openMenu } from './popover.js';

/** The top bar: find something on the screen, change the colours. */
export function drawTop(node, state, { search, toggleSidebar }) {
  const field = h('input', {
    type: 'search',
    class: 'top-search-field',
    placeholder: `Search ${state.team.name}`,
    'aria-label': 'Search messages shown',
    on: { input: () => search(field.value) },
  });
  fill(
    node,
    h(
      'button',
      {
        type: 'button',
        class: 'top-button top-menu',
        'aria-label': 'Channels',
        on: { click: toggleSidebar },
      },
      icon('menu'),
    ),
    h('span', { class: 'top-space' }),
    h('label', { class: 'top-search' }, icon('search', 16), field),
    h('span', { class: 'top-space top-right' }, themeButton()),
  );
}

/** Changes between light and dark, and remembers. */
function themeButton() {
  const dark = () => document.documentElement.dataset.theme === 'dark';
  const theme = h('button', {
    type: 'button',
    class: 'top-button',
    title: 'Light or dark',
    on: {
      click: () => {
        const next = dark() ? 'light' : 'dark';
        document.documentElement.dataset.theme = next;
        localStorage.setItem('theme', next);
        show();
      },
    },
  });
  const show = () => {
    theme.setAttribute('aria-label', dark() ? 'Use light colors' : 'Use dark colors');
    fill(theme, icon(dark() ? 'sun' : 'moon', 18));
  };
  show();
  return theme;
}

/** The narrow bar at the edge: the workspace, and who one is. */
export function drawRail(node, state, { actAs, open }) {
  const me = state.people.find(({ id }) => id === state.me);
  const who = h(
    'button',
    {
      type: 'button',
      class: 'rail-me',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-label': `You are ${me?.realName}. Act as another person`,
      title: 'Act as another person',
      on: { click: () => chooseWho(who, state, actAs) },
    },
    avatar(state.me, state, 36),
    h('span', { class: 'presence' }),
  );
  const [channel] = state.channels;
  const first = channel ? { id: channel.id, tab: 'messages' } : { id: state.direct, tab: 'home' };
  fill(
    node,
    h('span', { class: 'rail-team', 'aria-hidden': 'true' }, state.team.name[0]),
    // Channels and apps both belong to Home; DMs would be those between people, of which there are none.
    railButton('home', 'Home', true, () => open(first)),
    state.app.messagesTab &&
      railButton('messages', 'DMs', false, () => open({ id: state.direct, tab: 'messages' })),
    h('span', { class: 'rail-space' }),
    h('span', { class: 'rail-theme' }, themeButton()),
    who,
  );
}

function railButton(sign, label, on, run) {
  return h(
    'button',
    { type: 'button', class: `rail-button${on ? ' on' : ''}`, on: { click: run } },
    h('span', { class: 'rail-sign' }, icon(sign)),
    label,
  );
}

function chooseWho(anchor, state, actAs) {
  openMenu(
    anchor,
    state.people.map(({ id, realName, name }) => ({
      label: h(
        'span',
        { class: 'who' },
        avatar(id, state, 28),
        h('span', {}, realName, h('span', { class: 'menu-note' }, ` @${name}`)),
      ),
      checked: id === state.me,
      run: () => actAs(id),
    })),
    { above: true, title: 'Act as' },
  );
}

/** The list of channels and apps. */
export function drawSidebar(node, state, { open, actAs }) {
  const entry = (id, tab, sign, label) => {
    const on = state.place.id === id;
    return h(
      'button',
      {
        type: 'button',
        class: `side-item${on ? ' on' : ''}${state.unread.has(id) ? ' unread' : ''}`,
        'aria-current': on ? 'page' : undefined,
        on: { click: () => open({ id, tab }) },
      },
      sign,
      h('span', { class: 'side-label' }, label),
      state.unread.has(id) && h('span', { class: 'side-count' }, state.unread.get(id)),
    );
  };
  const part = (title, items) =>
    h('section', { class: 'side-part' }, h('h2', { class: 'side-title' }, icon('caret', 14), title), items);
  const me = state.people.find(({ id }) => id === state.me);
  const who = h(
    'button',
    {
      type: 'button',
      class: 'side-who',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      on: { click: () => chooseWho(who, state, actAs) },
    },
    avatar(state.me, state, 24),
    h('span', {}, me?.realName),
    icon('caret', 14),
  );
  fill(
    node,
    h('div', { class: 'side-head' }, h('span', { class: 'side-team' }, state.team.name)),
    h(
      'div',
      { class: 'side-scroll' },
      part(
        'Channels',
        state.channels.map(({ id, name }) => entry(id, 'messages', icon('hash', 16), name)),
      ),
      part('Apps', [entry(state.direct, 'home', avatar(state.app.user, state, 20), state.app.name)]),
    ),
    who,
  );
}

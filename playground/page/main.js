import { drawConversation, drawThread } from './conversation.js';
import { fill, h } from './dom.js';
import { act, ask, follow } from './server.js';
import { drawRail, drawSidebar, drawTop } from './sidebar.js';
import { readIn } from './slack-date.js';
import { drawModals } from './views.js';

const part = (id) => document.getElementById(id);
const wanted = new URLSearchParams(location.search);
let state;
let messages = [];
let conversation;
let thread;
let stop = () => {};
let startAgain;
let lost = false;

start(wanted.get('as') ?? sessionStorage.getItem('as') ?? '');

/** Draws everything for one person. */
async function start(user) {
  stop();
  clearTimeout(startAgain);
  const known = await ask('state', { as: user });
  connected(known.ok);
  if (!known.ok) {
    startAgain = setTimeout(start, 1_500, user);
    return;
  }
  closeThread();
  const nameOfPerson = (id) =>
    id === known.app.user ? known.app.name : known.people.find((each) => each.id === id)?.realName;
  const channel = (id) => known.channels.find((each) => each.id === id)?.name;
  state = {
    ...known,
    unread: new Map(),
    query: '',
    place: state?.place ?? firstPlace(known),
    names: { person: nameOfPerson, channel, me: known.me },
  };
  const zone = known.people.find(({ id }) => id === known.me)?.tz;
  readIn(zone);
  // For pages of issues, which open in tabs of their own.
  if (zone) localStorage.setItem('zone', zone);
  if (state.place.id.startsWith('D')) state.place = { ...state.place, id: state.direct };
  sessionStorage.setItem('as', state.me);
  document.title = `${state.app.name} – ${state.team.name} – Slack`;
  drawTop(part('top'), state, { search, toggleSidebar });
  stop = follow(state.me, { heard, connected });
  await open(state.place);
  drawModals(part('modals'), state, state.modals);
}

function firstPlace(known) {
  const name = wanted.get('in');
  const channel = known.channels.find((each) => each.name === name || each.id === name) ?? known.channels[0];
  if (name === 'home' || name === 'dm' || !channel)
    return { id: known.direct, tab: name === 'dm' && known.app.messagesTab ? 'messages' : 'home' };
  return { id: channel.id, tab: 'messages' };
}

async function open(place) {
  state.place = place;
  state.unread.delete(place.id);
  closeThread();
  document.body.classList.remove('with-sidebar');
  part('scrim').hidden = true;
  drawSides();
  drawMiddle();
  tellWhereOneIs();
  messages = [];
  await readMessages();
  conversation.toEnd?.();
}

/** The app is told when somebody looks at it. */
function tellWhereOneIs() {
  const { id, tab } = state.place;
  if (id === state.direct && tab !== 'about') act('home', { user: state.me, tab });
}

function drawMiddle() {
  conversation = drawConversation(part('main'), state, { open, openThread, toggleSidebar });
}

async function readMessages() {
  const { place, me } = state;
  const answer = await ask('conversation', { as: me, id: place.id });
  if (!answer.ok || state.place !== place || state.me !== me) return;
  messages = answer.messages;
  conversation.update(messages);
  thread?.update(messages);
}

function drawSides() {
  drawRail(part('rail'), state, { actAs: start, open });
  drawSidebar(part('sidebar'), state, { open, actAs: start });
}

function openThread(ts) {
  thread = drawThread(part('thread'), state, ts, { close: closeThread });
  thread.update(messages);
}

function closeThread() {
  thread = undefined;
  part('thread').hidden = true;
  document.body.classList.remove('with-thread');
}

function search(words) {
  state.query = words;
  conversation.update(messages);
  if (words === '') conversation.toEnd?.();
}

function toggleSidebar() {
  const on = document.body.classList.toggle('with-sidebar');
  part('scrim').hidden = !on;
}
part('scrim').addEventListener('click', toggleSidebar);

/** What the stand-in tells while the page is open. */
async function heard(change) {
  if (change.message) return messageChanged(change);
  if (change.kind === 'notice') return notice(change.text);
  if (change.kind !== 'modals' && change.kind !== 'home' && change.kind !== 'hello') return;
  if (!(await refresh())) return;
  if (change.kind !== 'modals' && state.place.tab === 'home') drawMiddle();
  if (change.kind !== 'home') drawModals(part('modals'), state, state.modals);
  // The stream is new, or came back: something may have been said in between.
  if (change.kind !== 'hello') return;
  if (lost) tellWhereOneIs();
  lost = false;
  await readMessages();
}

/** Reads anew what is known beside the messages; whether it could be read. */
async function refresh() {
  const { me } = state;
  const known = await ask('state', { as: me });
  if (!known.ok || state.me !== me) return false;
  // Relative dates are told from the stand-in's clock.
  const { hints, modals, home, now } = known;
  Object.assign(state, { hints, modals, home, now });
  return true;
}

/** Tells whether anybody answers; a stream that came back is followed by `hello`. */
function connected(on) {
  lost ||= !on;
  fill(part('offline'), !on && `${state?.app.name ?? 'Dwell'} is not running. Trying again…`);
}

// Whoever comes back from a terminal may have imported issues there.
addEventListener('focus', async () => {
  const before = JSON.stringify(state?.hints);
  if (state && (await refresh()) && JSON.stringify(state.hints) !== before) conversation.update(messages);
});

function messageChanged({ kind, message }) {
  state.now = Math.max(state.now, Number(message.ts) * 1000);
  if (message.channel !== state.place.id) {
    if (kind === 'message') state.unread.set(message.channel, (state.unread.get(message.channel) ?? 0) + 1);
    return drawSides();
  }
  const others = messages.filter(({ ts }) => ts !== message.ts);
  messages =
    kind === 'deleted' ? others : [...others, message].toSorted((a, b) => Number(a.ts) - Number(b.ts));
  conversation.update(messages);
  thread?.update(messages);
  if (kind !== 'message') return;
  const { ts, threadTs = ts } = message;
  if (threadTs === ts) conversation.added?.(ts, isOwn(message));
  else if (thread?.ts === threadTs) thread.added(ts, isOwn(message));
}

/** Written by this person, or an answer to them. */
function isOwn({ user, onlyFor, answers }) {
  return [user, onlyFor, answers?.user].includes(state.me);
}

function notice(text) {
  const node = h('div', { class: 'notice' }, text);
  part('notices').append(node);
  setTimeout(() => node.remove(), 6_000);
}

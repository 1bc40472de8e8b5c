// A classic script in the head, so that the first paint already has the right colours.
(() => {
  const asked = new URLSearchParams(location.search).get('theme');
  const kept = localStorage.getItem('theme');
  const theme = asked ?? kept;
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
})();

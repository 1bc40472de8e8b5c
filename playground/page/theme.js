// A classic script in the head, so that the first paint already has the right colours.
(() => {
  const named = new URLSearchParams(location.search).get('theme');
  const stored = localStorage.getItem('theme');
  const chosen = [named, stored].find((theme) => theme === 'dark' || theme === 'light');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
  };
  apply(chosen ?? (system.matches ? 'dark' : 'light'));
  if (!chosen) system.addEventListener('change', () => apply(system.matches ? 'dark' : 'light'));
})();

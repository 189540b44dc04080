// What TestBrowser does with the page. It ends with an element "seen" that holds struct seen.
(async () => {
  const seen = { Width: innerWidth };
  const count = (selector) => document.querySelectorAll(selector).length;
  const rest = () => new Promise((done) => setTimeout(done, 50));
  // Relative luminance and contrast as WCAG 2 defines them.
  const luminance = (color) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  try {
    seen.Passed = count(".matrix td.passed");
    seen.Failed = count(".matrix td.failed");
    seen.Overview = count(".overview td.passed, .overview td.failed");
    seen.Dots = count(".track i.dot");
    seen.Bars = count(".track i.bar");
    seen.Listed = count(".cells td.passed, .cells td.failed");
    seen.Nameless = [...document.querySelectorAll("table")].filter((e) => !e.caption && !e.closest("figure")?.querySelector("figcaption") && !e.closest("[aria-label]")).length;

    const failed = document.querySelector(".matrix td.failed a");
    const command = document.querySelector(failed.hash + " .command");
    seen.Before = command.checkVisibility();
    failed.click();
    await rest();
    seen.After = command.checkVisibility();
    seen.Command = command.textContent;
    const passed = document.querySelector(".matrix td.passed a");
    passed.click();
    await rest();
    seen.Cells = document.querySelector(passed.hash + " td").checkVisibility();

    for (const e of document.querySelectorAll(".failure")) e.open = false;
    dispatchEvent(new Event("beforeprint"));
    seen.Printed = [...document.querySelectorAll(".failure .command")].filter((e) => e.checkVisibility()).length;
    seen.Failures = count(".failure");

    for (const e of document.querySelectorAll("details")) e.open = true; // the widest that it can be
    await rest();
    seen.Overflow = document.documentElement.scrollWidth - innerWidth;
    seen.Outside = [...document.querySelectorAll("body *")].filter((e) => !e.closest(".wide") && e.getBoundingClientRect().right > innerWidth + 0.5).length;
    const contrast = (e) => {
      const style = getComputedStyle(e), [a, b] = [luminance(style.color), luminance(style.backgroundColor)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const key = document.querySelector(".key");
    seen.Contrast = Math.min(...[...document.querySelectorAll("td.passed, td.failed")].map(contrast));
    for (let hue = 0; hue < 360; hue += 15) { // of any number of devices
      key.style.setProperty("--hue", hue);
      seen.Contrast = Math.min(seen.Contrast, contrast(key));
    }
  } catch (e) {
    seen.Error = String(e.stack);
  }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();

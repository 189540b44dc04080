// What a person does on the page, and what is seen of it.
(async () => {
  const seen = { Error: "" };
  const wait = async ready => {
    for (let i = 0; i < 200 && !ready(); i++) await new Promise(done => setTimeout(done, 20));
    if (!ready()) throw new Error("it did not come: " + ready);
  };
  const at = id => document.getElementById(id);
  const light = colour => {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map(v => v / 255);
    const [r, g, b] = parts.map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const contrast = e => {
    const [a, b] = [light(getComputedStyle(e).color), light(paper(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const search = (name, phrase) => {
    at("index").value = name;
    at("index").dispatchEvent(new Event("change"));
    at("phrase").value = phrase;
    at("form").requestSubmit(); // as the enter key does
  };
  try {
    await wait(() => at("index").options.length === 2);
    seen.Width = innerWidth;
    await wait(() => document.activeElement !== document.body); // autofocus comes with the first picture
    seen.Focus = document.activeElement.id;
    search("mini", "the");
    await wait(() => at("hits").children.length > 0);
    seen.Count = at("count").textContent.replace(/ \(.*/, "");
    seen.Hits = at("hits").children.length;
    seen.Marks = [...document.querySelectorAll("mark")].every(m => m.textContent === "the");
    seen.Header = document.querySelector("li header").textContent.replace(/[\d,]+/g, "N");
    seen.Metadata = document.querySelectorAll("details").length;
    seen.More = !at("more").hidden;
    at("more").click();
    await wait(() => at("hits").children.length > seen.Hits);
    seen.After = at("hits").children.length;
    seen.Moved = document.activeElement === at("hits").children[seen.Hits];
    seen.Overflow = document.documentElement.scrollWidth - innerWidth;
    seen.Contrast = Math.min(...[...document.querySelectorAll("h1, label, input, button, select, #count, li p, li header, mark, summary")]
      .filter(e => e.offsetParent !== null).map(contrast));
    seen.Small = [...document.querySelectorAll("input, select, form button")].filter(e => e.offsetHeight < 44).length;
    seen.Nameless = [...document.querySelectorAll("input, select")].filter(e => e.labels.length === 0).length;
    seen.Unreached = [...document.querySelectorAll("input, select, button, summary")].filter(e => e.tabIndex < 0).length;
    search("mini", "<b>nowhere</b>");
    await wait(() => at("count").textContent.startsWith("0 occurrences"));
    seen.None = at("hits").children.length;
    search("tokens", "1, 2");
    await wait(() => at("hits").children.length > 0);
    seen.Label = at("label").textContent;
    seen.Tokens = document.querySelector("mark").textContent;
    search("tokens", "one");
    await wait(() => at("count").className === "wrong");
    seen.Wrong = at("count").textContent;
  } catch (error) {
    seen.Error = String(error);
  }
  const pre = document.createElement("pre");
  pre.id = "seen";
  pre.textContent = JSON.stringify(seen);
  document.body.append(pre);
})();

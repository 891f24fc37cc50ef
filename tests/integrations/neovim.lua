-- Drives Neovim's own client: opens, types, hovers, applies an action; says what it sees.
local function out(...)
  io.stdout:write(table.concat({ ... }, " ") .. "\n")
end

local function wait(buffer, count)
  local there = vim.wait(60000, function()
    return #vim.diagnostic.get(buffer) == count
  end, 20)
  out(there and "reports" or "timeout", tostring(count))
  for _, item in ipairs(vim.diagnostic.get(buffer)) do
    local line = vim.api.nvim_buf_get_lines(buffer, item.lnum, item.lnum + 1, false)[1]
    out(tostring(item.lnum + 1), line:sub(item.col + 1, item.end_col))
  end
end

vim.cmd("edit train.py")
local train = vim.api.nvim_get_current_buf()
wait(train, 1)
vim.cmd("edit helper.py")
local helper = vim.api.nvim_get_current_buf()
vim.api.nvim_buf_set_lines(helper, 1, 2, false, { "    return bool(x > 0)" })
wait(helper, 1)
vim.cmd("buffer " .. train)
vim.api.nvim_buf_set_text(train, 6, 0, 6, 0, { "    # 😀 typed", "" })
vim.wait(60000, function()
  local found = vim.diagnostic.get(train)
  return #found == 1 and found[1].lnum == 7
end, 20)
wait(train, 1)
vim.api.nvim_win_set_cursor(0, { 8, vim.diagnostic.get(train)[1].col + 2 })
local here = vim.lsp.util.make_position_params()
for _, answer in pairs(vim.lsp.buf_request_sync(train, "textDocument/hover", here, 60000)) do
  out("hover", vim.split(answer.result.contents.value, "\n")[1])
end
local function act(words)
  vim.ui.select = function(items, _, choose)
    for number, item in ipairs(items) do
      if item[2].title:find(words, 1, true) then
        choose(item, number)
      end
    end
  end
  vim.lsp.buf.code_action()
  wait(train, 0)
  out(vim.api.nvim_buf_get_lines(train, 7, 8, false)[1])
end
local before = vim.api.nvim_buf_get_lines(train, 7, 8, false)
act("astype")
vim.api.nvim_buf_set_lines(train, 7, 8, false, before)
wait(train, 1)
act("noqa")
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.wait(60000, function()
  return #vim.lsp.get_active_clients() == 0
end)
out("stopped", tostring(#vim.lsp.get_active_clients()))
vim.cmd("qa!")

"""Getting a frame to the screen although packets go missing: repair, references, and the receive side."""
